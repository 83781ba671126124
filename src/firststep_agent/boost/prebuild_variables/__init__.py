"""Variables of optimizers and metrics made outside the trace that asks for them.

A variable that is made inside the first trace of a tf.function makes TensorFlow lift its initialiser through a trace
of its own and then trace the whole function a second time; the graph that runs is the second one. Here the same code
makes the same variable at the same moment, but outside the graph that is being traced: the first trace comes out as
the second would have. What listens for that stands in the frameworks only while a first trace is under way.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from firststep_agent.boost.prebuild_variables.lifting import Lifting
    from firststep_agent.frameworks.door import While

ID = "prebuild-variables"
_KERAS = {"keras": ("keras3", "keras2"), "tf_keras": ("keras2",)}  # package -> modules of this one


def start(run: "Any", settings: "dict[str, Any]") -> None:
    run.after_import("tensorflow.python.eager.polymorphic_function.polymorphic_function", lambda module: _begin(run))


def _begin(run: "Any") -> None:
    """TensorFlow is being imported, and Keras comes after it."""
    if run.refuses(ID, "tensorflow"):
        return
    from firststep_agent.boost.prebuild_variables.lifting import Lifting
    from firststep_agent.boost.traces import initialise, libraries, unchanged  # noqa: F401 (now: no finder of the program's sees it later)

    lifting = Lifting(run)
    scope = initialise.watch(run, ID)
    for package in _KERAS:
        run.before_import(package, lambda package=package: _wait_for(run, lifting, scope, package))
    run.on_ready(lifting.report)
    run.on_exit(lifting.report)


def _wait_for(run: "Any", lifting: "Lifting", scope: "While", package: str) -> None:
    """scope: open while a first trace is under way."""
    from firststep_agent.frameworks.points import of_package

    makers = [__import__(f"{__name__}.{name}", fromlist=["listener"]) for name in _KERAS[package]]
    for point in of_package(package):
        if ID in point.users:
            listener = next(found for found in (maker.listener(lifting, point) for maker in makers) if found is not None)
            run.wrap(point, listener, ID, until=scope)
