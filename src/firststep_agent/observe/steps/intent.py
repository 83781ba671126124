"""Whether the program's own code speaks of training, before it has trained: then a first prediction is only a trial.

TensorFlow's own introduction calls the untrained model once, looks at the output, and then trains it.
"""

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
        module = frame.f_globals
        if id(module) not in seen and is_programs_file(frame.f_code.co_filename):
            seen.add(id(module))
            if any(_speaks(code, 0) for code in _codes(frame.f_code, module)):
                return True
        frame = frame.f_back
    return False


def _codes(code: "CodeType", module: "dict[str, Any]") -> "Iterator[CodeType]":
    yield code
    for value in list(module.values()):
        if getattr(value, "__module__", None) != module.get("__name__"):
            continue
        for one in (value, *vars(value).values()) if isinstance(value, type) else (value,):
            found = getattr(getattr(one, "python_function", one), "__code__", None)
            if isinstance(found, _Code):
                yield found


def _speaks(code: "CodeType", depth: int) -> bool:
    if not TRAINING_WORDS.isdisjoint(code.co_names):
        return True
    inner = [constant for constant in code.co_consts if isinstance(constant, _Code)]
    return depth < _DEEPEST and any(_speaks(one, depth + 1) for one in inner)
