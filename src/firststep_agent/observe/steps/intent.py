"""Whether the program's own code speaks of training, before it has trained: then a first prediction is only a trial.

TensorFlow's own introduction calls the untrained model once, looks at the output, and then trains it.
"""

from firststep_agent import kinds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, FrameType
    from typing import Any

    from firststep_agent.frameworks.listening import Listener
    from firststep_agent.frameworks.points import Point
    from firststep_agent.observe.steps.state import Steps

TRAINING_WORDS = frozenset(
    ("fit", "fit_generator", "train_on_batch", "GradientTape", "apply_gradients", "minimize", "train_step")
)
_Code = type((lambda: None).__code__)
_DEEPEST = 6  # of code inside code


def listener(steps: "Steps", point: "Point") -> "Listener":
    """An optimizer is made, a model compiled, a tape opened."""
    def intends(*args, **kwargs):
        steps.intends_training()
        return
        yield

    return intends


def stack_speaks_of_training(frame: "FrameType | None") -> bool:
    """Looks through the code of the program's own modules that are on the stack of `frame`."""
    from firststep_agent.ownership import is_programs_file

    seen = set()
    while frame is not None:
        if is_programs_file(frame.f_code.co_filename):
            module = frame.f_globals
            codes = [frame.f_code, *(() if id(module) in seen else _functions(module))]
            seen.add(id(module))
            if any(_speaks(code, 0) for code in codes):
                return True
        frame = frame.f_back
    return False


def _functions(module: "dict[str, Any]") -> "Iterator[CodeType]":
    """The code of a module's functions, those of its classes and those that TensorFlow wraps as well. No object of the program's is asked
    for it."""
    for value in list(dict.values(module)):
        is_class = kinds.is_a(value, type)
        for one in list(kinds.namespace(value).values()) if is_class and kinds.module(value) == module.get("__name__") else (value,):
            function = _function(one)
            if function is not None and (is_class or function.__module__ == module.get("__name__")):
                yield function.__code__


def _function(value: "Any") -> "Any":
    """A function of Python's, as it is or within one of TensorFlow's; None of all else."""
    if str(kinds.module(type(value))).startswith("tensorflow."):
        value = getattr(value, "python_function", None)
    return value if type(value) is kinds.FUNCTION else None


def _speaks(code: "CodeType", depth: int) -> bool:
    if not TRAINING_WORDS.isdisjoint(code.co_names):
        return True
    inner = [constant for constant in code.co_consts if isinstance(constant, _Code)]
    return depth < _DEEPEST and any(_speaks(one, depth + 1) for one in inner)
