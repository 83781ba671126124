"""Signatures of functions, and code of annotations given as strings, worked out once instead of several times over.

TensorFlow's decorators ask for the signature of each of 3,000 functions about three times, and `typing` compiles the
same few dozen strings 18,000 times. Both are answered from memory while the function, or the string, is the one it
was.
"""

ID = "memoise-signatures"


def start(run, settings):
    counts = {}
    run.after_import("typing", lambda typing: _memoise_annotations(run, typing, counts))
    run.after_import("inspect", lambda inspect: _memoise_signatures(run, inspect, counts))
    reported = []

    def report():
        if not reported:
            reported.append(True)
            saved = {name: calls[0] for name, calls in counts.items() if calls[0]}
            if saved:
                run.note(ID, "live", **saved)

    run.on_ready(report)
    run.on_exit(report)


def _memoise_annotations(run, typing, counts):
    """`typing` looks `compile` up among its own names first; code objects cannot be changed, so they can be shared."""
    known = {}
    answered = counts["annotations"] = [0]

    def memoised(source, filename, mode, *arguments, **keywords):
        if arguments or keywords or type(source) is not str:
            return compile(source, filename, mode, *arguments, **keywords)
        key = (source, filename, mode)
        code = known.get(key)
        if code is None:
            code = known[key] = compile(source, filename, mode)
        else:
            answered[0] += 1
        return code

    memoised.__name__ = memoised.__qualname__ = "compile"
    run.replace(typing, "compile", memoised)


def _memoise_signatures(run, inspect, counts):
    """Signatures cannot be changed either. A function whose code, defaults or annotations were replaced is asked anew.
    """
    import weakref

    original = inspect._signature_from_function
    function_type, signature_type = type(_memoise_signatures), inspect.Signature
    known = weakref.WeakKeyDictionary()
    answered = counts["signatures"] = [0]

    def _signature_from_function(cls, func, *arguments, **keywords):
        if (cls is not signature_type or type(func) is not function_type or func.__kwdefaults__ or arguments
                or keywords.get("eval_str") or "__text_signature__" in func.__dict__):
            return original(cls, func, *arguments, **keywords)
        annotations = func.__annotations__
        state = (id(func.__code__), id(func.__defaults__), *annotations, *map(id, annotations.values()))
        found = known.get(func)
        if found is not None and found[0] == state:
            answered[0] += 1
            return found[1]
        signature = original(cls, func, *arguments, **keywords)
        known[func] = (state, signature, func.__code__, func.__defaults__, list(annotations.values()))
        return signature

    run.replace(inspect, "_signature_from_function", _signature_from_function)
