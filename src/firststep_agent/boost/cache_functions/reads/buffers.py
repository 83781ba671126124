"""Where the memory of an array is: another place in each process. Two starts may agree by chance on what a trace makes of that (whether
it is aligned, a bit of it), so that confirming cannot find it: such a function is refused by its code."""

from firststep_agent import ownership
from firststep_agent.boost.objects import bytecode, words
from firststep_agent.boost.objects.refusal import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import CodeType

_NAMES = ("ctypes", "__array_interface__", "__array_struct__", "byte_bounds", "buffer_info", "data_ptr")
# What runs of NumPy's where it is asked, by whomever: (in the file's name, the functions).
_OF_NUMPY = (("/numpy/_core/_internal.py", "/numpy/core/_internal.py"), frozenset(("data", "data_as"))), (
    ("/numpy/lib/_array_utils_impl.py", "/numpy/lib/utils.py"), frozenset(("byte_bounds",)))


def check(codes: "Iterable[CodeType]", user_codes: "Iterable[CodeType]") -> None:
    """Raises Refused. codes: all that ran while it was traced; user_codes: the program's among them."""
    for code in user_codes:
        for name in () if ownership.is_installed(code.co_filename) else _NAMES:
            if name in code.co_names or bytecode.holds_text(code, name):
                raise _refusal(f"`{words.function_name(code)}` asks where an array is in memory (`{name}`)")
    for code in codes:
        if any(code.co_filename.endswith(files) and code.co_name in functions for files, functions in _OF_NUMPY):
            raise _refusal("it asks NumPy where an array is in memory")


def _refusal(does: str) -> "Refused":
    return Refused(f"{does} while it is traced, which is another place in each start")
