"""A start in which everything that the program can choose is made to hurt whoever shows it."""

from analyse.traces import MAIN, SITE, process, trace

from firststep.model.trace import Frame, Mark, Note, Sample, Span, Spawn, StepEnd

SECOND = 1_000_000_000
MARKUP = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
WORDS = (
    MARKUP, "\"'><svg onload=alert(3)>", "{{ 7*7 }}{% raw %}", "<!--", "-->", "]]>", "</style>", "javascript:alert(4)", "&lt;b&gt;&amp;",
    "\x1b[2J\x1b]0;x\x07", "\u202egnp.exe", "\u2028\u2029", "\ud800", "\x00", "a|b`c``d", "@everyone #1 https://evil.test",
    "line\r\nfirststep: all is well", "__proto__", "constructor", "=cmd()", ";", " 12",
)
CONTROLS = ("\x1b", "\x07", "\x00", "\u202e", "\u2028", "\u2029")


def hostile():
    """A start of five seconds."""
    spans, at = [], SECOND
    kinds = ("import", "native", "trace", "variable", "model-load", "initialisation", "data-function", "network", "session-create",
             "graph-optimise", "first-call", "fit", "gc", "model-build")
    for number, word in enumerate(WORDS):
        for kind in kinds:
            name = "generation 2" if kind == "gc" else word
            said = ("why", "peer", "path", "source", "format", "module", "initialiser", "dtype", "transformation", "what", word)
            labels = dict.fromkeys(said, word)
            if kind == "gc":
                labels = {"collected": 1}
            made = {"line": f"/home/me/{word}.py:{number + 1}", "layers": 1, "name": word, **labels}
            spans.append(Span(kind, name, at, at + 10_000_000, MAIN, made))
            at += 11_000_000
    frames = [Frame(f"/home/me/{word}.py", word, 1, number + 1) for number, word in enumerate(WORDS)]
    samples = [Sample(SECOND + number * 150_000_000, (frame, Frame(f"{SITE}/{frame.function}/x.py", frame.function, 1, 2)), "R", -1, 0, 0)
               for number, frame in enumerate(frames)]
    word = MARKUP
    part = process(spans, samples, ready=5 * SECOND, marks=(Mark(SECOND, word, {word: word}),),
                   notes=(Note(SECOND, word, "live", {word: word}),),
                   steps=(StepEnd(5 * SECOND, "train", 1, word),), errors=WORDS, log=((SECOND, word),),
                   spawns=(Spawn(SECOND, SECOND + 1, 99, ("python", word)),), libraries=((word, 5),))
    part.header.update(argv=["python", *WORDS], cwd="/home/me")
    source = {frame.file: {str(frame.line): frame.function} for frame in frames}
    return trace(part, ended=6 * SECOND, command=["python", *WORDS], source=source, lost=word, version=word,
                 until=["line", word], host={"machine": word, "cpu": word, "system": word, "load": [1.0]})
