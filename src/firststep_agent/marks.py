"""The marks API, for programs: `firststep.mark("loaded")`, `firststep.phase("read")`, `firststep.result(...)`.

While the agent watches, it is what a program gets as `firststep` where that is not installed; where it is, it has these.
Without the agent in the process all of it does nothing, and costs next to nothing.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def mark(name: str) -> None:
    """This moment has a name in the trace; with `--until mark:NAME` it is the moment of ready."""
    run = _active()
    if run is not None:
        run.mark(str(name))


class phase:
    """`with phase("read the index"):`, or `@phase("read the index")` before a function: this stretch has a name in the report.

    It takes no time away from the phases of firststep's own: it is shown beside them. May be entered again, inside itself too.
    """

    def __init__(self, name: str) -> None:
        self._name = str(name)
        self._began: list[int | None] = []

    def __enter__(self) -> "phase":
        run = _active()
        self._began.append(None if run is None else _now())
        return self

    def __exit__(self, *error: "Any") -> None:
        began, run = self._began.pop(), _active()
        if began is not None and run is not None:
            run.span("phase", self._name, began, _now())

    def __call__(self, function: "Callable[..., Any]") -> "Callable[..., Any]":
        import functools
        import inspect

        name = self._name
        if inspect.iscoroutinefunction(function):
            @functools.wraps(function)
            async def timed(*args, **kwargs):
                with phase(name):
                    return await function(*args, **kwargs)
        else:
            @functools.wraps(function)
            def timed(*args, **kwargs):
                with phase(name):
                    return function(*args, **kwargs)

        return timed


def result(name: str, value: "Any") -> None:
    """`value` is what the program is run for: numbers, strings, bytes, arrays, tensors, lists and dicts of them.

    `firststep prove` compares it, bit by bit, between its two sides. Called again with the same name, all the
    values count.
    """
    named = sys.modules.get("firststep_agent.observe.results.named")
    if named is not None:
        named.result(name, value)


# AutoGraph is to call them, and not to convert them and all of ours that they call.
mark.autograph_info__ = result.autograph_info__ = {}  # type: ignore[attr-defined]


def keras_callback() -> "Any":
    """A callback for `model.fit(..., callbacks=[firststep.keras_callback()])`: the beginning and end of training, and of the first
    epoch and its validation, are marks. It has no hook for batches: those would make each step wait for its results."""
    keras = sys.modules.get("keras") or sys.modules.get("tf_keras")
    if keras is None:
        import keras  # type: ignore[no-redef]

    FirststepCallback: type = type("FirststepCallback", (keras.callbacks.Callback,), {"__doc__": "Marks of a training."})
    if _active() is not None:
        for hook in ("train_begin", "train_end", "test_begin", "test_end"):
            setattr(FirststepCallback, f"on_{hook}", _once(hook))
        for hook in ("epoch_begin", "epoch_end"):
            setattr(FirststepCallback, f"on_{hook}", _once(hook, numbered=True))
    return FirststepCallback()


def offer() -> None:
    """Right before `firststep` is imported: where it is not installed, this module is what the program gets."""
    import _frozen_importlib

    if "firststep" not in sys.modules and _frozen_importlib._find_spec("firststep", None) is None:  # type: ignore[attr-defined]
        stand_in = type(sys)("firststep", __doc__)
        vars(stand_in).update({name: globals()[name] for name in NAMES}, __all__=list(NAMES))
        sys.modules["firststep"] = stand_in


NAMES = ("keras_callback", "mark", "phase", "result")


def _once(hook: str, numbered: bool = False) -> "Callable[..., None]":
    """A method that marks its first call."""
    name = "keras " + hook.replace("_", " ")
    done: list[bool] = []

    def first(logs=None):
        if not done:
            done.append(True)
            mark(name)

    if numbered:
        return lambda self, epoch, logs=None: first()
    return lambda self, logs=None: first()


def _active() -> "Any":
    agent = sys.modules.get("firststep_agent.run")
    run = agent.active() if agent else None
    return None if run is None or run.finished else run


def _now() -> int:
    from firststep_agent.clock import now

    return now()
