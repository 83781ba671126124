"""The first-level key: this process's configuration, the function's own code and its signature."""

import re

from firststep_agent.boost.cache_functions.key import configuration, outline
from firststep_agent.boost.objects import bytecode, roots

_ADDRESS = re.compile("0x[0-9a-f]+|id=[0-9]+")


def identity(python_function, function_type):
    """Hex key, cheap to make; read at the moment of the trace. Equal keys may still differ in what `verify` checks."""
    import hashlib

    inner = roots.innermost(python_function)
    code = getattr(inner, "__code__", None) or getattr(type(inner).__call__, "__code__", None)
    words = [str(pair) for pair in configuration.configuration()]
    words.append(f"{getattr(inner, '__module__', '')}.{getattr(inner, '__qualname__', type(inner).__qualname__)}")
    words.append(bytecode.digest(code) if code is not None else "no code")
    words.append(outline.sketch(roots.roots(python_function)))
    words.append(str(roots.compiled_by_xla(python_function)))
    words.append(_ADDRESS.sub("", str(function_type)))
    return hashlib.blake2b("\n".join(words).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
