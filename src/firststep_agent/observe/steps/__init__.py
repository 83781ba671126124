"""Sees the ends of training steps and predictions, and so finds out when the program is ready.

Hooks are few and cost about a microsecond per step: a plan that only asks for ready has no others. What counts as a
step, in words: docs/ready.md. Where they stand is data (`step` in frameworks/points.py): each role there has a maker here.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from firststep_agent.frameworks.listening import Listener
    from firststep_agent.frameworks.points import Point
    from firststep_agent.observe.steps.state import Steps

_PACKAGES = ("tensorflow", "keras", "tf_keras", "tflite_runtime", "ai_edge_litert")
_MAKERS = {  # role -> module of this package, whose `listener(steps, point)` listens there
    "applies": "optimizers",
    "assigns": "assignments",
    "batch-ends": "keras_loops",
    "called-function": "functions",
    "called-model": "keras_models",
    "compiles": "intent",
    "constructs": "intent",
    "enters-tape": "intent",
    "gets-function": "functions",
    "loads": "keras_models",
    "loops": "keras_loops",
    "makes-callable": "sessions",
    "runs-callable": "sessions",
    "runs-interpreter": "interpreters",
    "runs-session": "sessions",
    "single": "keras_loops",
    "takes-gradients": "tapes",
}


def start(run: "Any", settings: "dict[str, Any]") -> None:
    state: list[Steps] = []  # made when the first framework comes: most of a start has none yet

    def begin(package):
        from firststep_agent.frameworks.points import STEPS, of_package

        if not state:
            from firststep_agent.observe.steps.state import Steps

            state.append(Steps(run))
            run.on_exit(lambda: _told_in_vain(run))
        for point in of_package(package):
            if point.step:
                run.wrap(point, _listener(state[0], point), STEPS, until="watched")

    for package in _PACKAGES:
        run.before_import(package, lambda package=package: begin(package))


def _listener(steps: "Steps", point: "Point") -> "Listener":
    maker = __import__(f"{__name__}.{_MAKERS[point.step]}", fromlist=["listener"])  # type: ignore[index]
    return maker.listener(steps, point)  # type: ignore[no-any-return]


def _told_in_vain(run: "Any") -> None:
    """How many training steps ended in a program that ended before what was waited for."""
    if run.ready_ns is None and "train" in run.steps:
        run.recorder.record("c", "training_steps", run.steps["train"])
