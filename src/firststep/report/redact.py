"""What may leave the machine: what is known to be harmless, and nothing else.

Numbers, our own words, and names of what everybody has: Python, its standard library, well-known packages and libraries. Every
other string is replaced, by a name that tells which are the same one (`file-3`, `name-7`), or by nothing.
"""

from __future__ import annotations

import builtins
import json
import pkgutil
import re
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import firststep_agent.boost
from firststep.analyse.marks import OWN as OWN_MARKS
from firststep.analyse.phases import PHASE_OF, PHASES
from firststep.model import framework_named
from firststep.model.ownership import AGENT_FILE, GENERATED_FILE, STARTERS
from firststep.model.trace import NOTED
from firststep.report.own_words import LEFT_OUT, own_names, own_words
from firststep_agent.frameworks.points import KINDS
from firststep_agent.observe import OBSERVERS

PUBLIC = frozenset((
    "absl astunparse flatbuffers gast google grpc h5py jax jaxlib keras keras_preprocessing libclang ml_dtypes namex numpy nvidia "
    "opt_einsum optree packaging pandas PIL pip protobuf pyarrow requests rich scipy setuptools six sklearn tensorboard tensorflow "
    "tensorflow_datasets tensorflow_estimator tensorflow_hub tensorflow_io_gcs_filesystem tensorflow_text termcolor tf_keras torch "
    "tqdm transformers typing_extensions urllib3 wheel wrapt yaml"
).split())
DISTRIBUTIONS = PUBLIC | {"tensorflow-cpu", "tf-nightly", "opentelemetry-sdk", "ddtrace", "coverage", "jax-metal", "tensorflow-metal"}
LIBRARIES = frozenset((
    "ld-linux-x86-64 ld-linux-aarch64 libc libm libpthread libdl librt libutil libstdc++ libgcc_s libz libbz2 liblzma libssl libcrypto "
    "libffi libcuda libcudart libcudnn libcublas libcufft libcurand libcusolver libcusparse libnccl libnvidia-ml libgomp libopenblas "
    "libexpat libsqlite3 libuuid libncursesw libtinfo libreadline libgfortran libquadmath libtensorflow_framework libtensorflow_cc"
).split())
CPU_WORDS = frozenset("AMD EPYC Ryzen Threadripper Intel(R) Xeon(R) Core(TM) Gold Silver Platinum Bronze CPU Processor @ ARM Neoverse-N1 "
                      "Neoverse-V1 Apple M1 M2 M3 M4 Pro Max Ultra".split())
OPTIONS = frozenset("-m -c -u -B -O -OO -q -s -v -I -E -S -P -bb -b -W -X -".split())
WORDS = frozenset([
    *PHASE_OF, *PHASES, *KINDS, *OBSERVERS, *OWN_MARKS,
    *(name.replace("_", "-") for _, name, _ in pkgutil.iter_modules(firststep_agent.boost.__path__)),
    "train", "predict", "mark", "exit", "_exit", "port", "http", "line", "first-step", "step", "ready", "start", "fork",
    *NOTED, "R", "S", "D", "T", "Z", "I", "?", "",
    "Linux", "Darwin", "Windows", "x86_64", "aarch64", "arm64",
    *(name for name, one in vars(builtins).items() if isinstance(one, type) and issubclass(one, BaseException)),
    "<module>", "<lambda>", "<listcomp>", "<dictcomp>", "<genexpr>", "<setcomp>",
    "float32", "float64", "float16", "bfloat16", "int32", "int64", "int8", "uint8", "bool", "string", "CPU", "GPU", "TPU",
    "first trace", "sitecustomize", "usercustomize", "GradientTape.gradient",
    "python_threads", "nowhere", "perhaps", "used",
    "sampler_cpu_ns", "cpu_after_ready_ns", "tensorflow-graph-building-us", "later-call", "firststep-trace",
])
NAME = re.compile(r"[A-Za-z_]\w{0,40}(?:\.[A-Za-z_]\w{0,40})*", re.ASCII)
VERSION = re.compile(r"\d{1,4}(?:\.\d{1,4}){0,2}(?:(?:rc|a|b|\.dev|\.post)\d{1,4})?(?![\w.])", re.ASCII)
FLAGS = re.compile(r"sys\.flags\((?:[a-z_0-9]+=(?:-?\d{1,4}|True|False)(?:, )?)*\)")
INSTALLED = re.compile(r".*/((?:site|dist)-packages)/(.*)", re.DOTALL)
STANDARD = re.compile(r".*/(lib(?:64)?/python\d\.\d{1,2})/(?:lib-dynload/)?(.*)", re.DOTALL)
LIBRARY = re.compile(r"([a-z0-9_+-]+?)(?:-[\d.]+)?\.so(?:\.\d+)*", re.ASCII | re.IGNORECASE)
ENDING = re.compile(r"\.(?:cpython-\d+[\w-]*|abi3)?\.?(?:py|pyc|so)$|\.(?:py|pyc|so)$", re.ASCII)
WEIGHTS = (".weights.h5", ".h5", ".hdf5", ".keras", ".tflite")  # endings: they tell the format
GENERATION = re.compile(r"generation \d")
PLACE = re.compile(r"(.*\.py):(\d{1,7})", re.DOTALL)
PREFIX = "/python"  # of an interpreter: whose code a frame is, is told by where it lies
VOCABULARY = ("why", "chain", "transformation", "initialiser", "what", "format")  # labels whose values are frameworks' words, or a user's
PYTHON = re.compile(r"(?:.*/)?(python[\d.]*)", re.DOTALL)


class Redactor:
    """One bundle: the same string gets the same stand-in everywhere in it."""

    def __init__(self) -> None:
        self._stand_ins: dict[tuple[str, str], str] = {}
        self._elsewhere: tuple[str, ...] = ()  # packages outside of `site-packages`

    def trace(self, text: str) -> str:
        """A trace's text, line by line, still a trace. Lines that are none are left out."""
        lines = []
        for line in text.splitlines():
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(record, dict):
                lines.append(json.dumps(self._header(record)))
            elif isinstance(record, list) and record and isinstance(record[0], str):
                lines.append(json.dumps([record[0], *self._record(*record)]) if record[0] in RECORDS else "")
        return "\n".join(filter(None, lines)) + "\n"

    def command(self, words: Sequence[str]) -> list[str]:
        """Which interpreter, its own options, and how many words more."""
        return [self.path(word) if PYTHON.fullmatch(word) else word if word in OPTIONS else self._argument(word) for word in words]

    def _argument(self, word: str) -> str:
        """How a library starts its own processes stays: what such code runs is no program's."""
        return next((begins for begins in STARTERS if word.startswith(begins)), None) or self.word(word, "word")

    def word(self, text: str, kind: str = "name") -> str:
        """A word that is known, the name of something that everybody has, or a stand-in."""
        if text in WORDS or _is_public(text):
            return text
        return self._stand_ins.setdefault((kind, text), f"{kind}-{1 + sum(one == kind for one, _ in self._stand_ins)}")

    def path(self, text: str) -> str:
        """A file of Python's, of ours, of a well-known package or library; else a stand-in that lies where it lay: a report tells
        the program's code from others' by that."""
        if found := PYTHON.fullmatch(text):
            return found[1]
        if text in self._elsewhere:
            return self.word(text, "/elsewhere")
        for package in self._elsewhere:
            if text.startswith(package + "/"):
                return f"{self.path(package)}/{self.word(text, 'file')}"
        if AGENT_FILE.match(text):
            own = text[text.rindex("/firststep_agent/"):]
            return own if own in _own_files() else "/firststep_agent/other.py"  # of another version
        for pattern in (INSTALLED, STANDARD):
            if found := pattern.fullmatch(text):
                known = _is_public(ENDING.sub("", found[2]).replace("/", "."))
                folder = f"{PREFIX}/{found[1]}" if pattern is STANDARD else f"/{found[1]}"
                return f"{folder}/{found[2] if known else self.word(text, 'file')}"
        base = text.rpartition("/")[2]
        library = LIBRARY.fullmatch(base)
        if library and library[1] in LIBRARIES:
            return base
        if GENERATED_FILE.match(base):
            return self.word(text, "/__autograph_generated_file")
        if text.startswith("<") and text in WORDS or text.startswith("<frozen ") and _is_public(text[8:-1]):
            return text
        return self.word(text, "file") + next((ending for ending in WEIGHTS if base.endswith(ending)), "")

    def packages(self, found: Mapping[str, Any]) -> dict[str, str]:
        """Well-known ones with their versions."""
        return {name: version(number) for name, number in found.items() if name in DISTRIBUTIONS}

    def _header(self, header: Mapping[str, Any]) -> dict[str, Any]:
        installed = header.get("installed")
        if isinstance(installed, list):
            self._elsewhere = tuple(one for one in installed if isinstance(one, str))
        return {key: HEADER[key](self, value) for key, value in header.items() if key in HEADER}

    def _record(self, kind: str, *items: Any) -> list[Any]:
        return [act(self, item) for act, item in zip(RECORDS[kind](self, items), items, strict=False)]

    def frame(self, items: Sequence[Any]) -> tuple[Any, ...]:
        """A frame's function is as public as its file."""
        known = len(items) > 1 and self._is_known(self.path(str(items[1])))
        return (_number, _path, _name_of_function if known else _word, _number, _number)

    def _is_known(self, shown: str) -> bool:
        """Whether a path was shown as it was, but for the folders above."""
        inside = INSTALLED.fullmatch(shown) or STANDARD.fullmatch(shown)
        public = inside is not None and _is_public(ENDING.sub("", inside[2]).replace("/", "."))
        return public or shown in _own_files() or shown.startswith("<frozen ")

    def labels(self, labels: Any) -> Any:
        """What is said beside a name: numbers, and words as far as they are known."""
        if not isinstance(labels, Mapping):
            return {}
        return {key: self._framework_words(value) if key in VOCABULARY else self.value(value)
                for key, value in labels.items() if key in own_names()}

    def _framework_words(self, value: Any) -> Any:
        """What our own code knows by name stays."""
        if isinstance(value, list):
            return [self._framework_words(one) for one in value]
        return value if isinstance(value, str) and value in own_names() else self.value(value)

    def value(self, value: Any) -> Any:
        """A value of any kind."""
        if isinstance(value, (bool, int, float)) or value is None:
            return value
        if isinstance(value, str):
            if place := PLACE.fullmatch(value):
                return f"{self.path(place[1])}:{place[2]}"
            words = own_words(value)
            unknown = self.path if value.startswith("/") else self.word
            return words if words != LEFT_OUT else unknown(value)
        return [self.value(item) for item in value] if isinstance(value, list) else self.labels(value)


def _is_public(name: str) -> bool:
    top = name.partition(".")[0]
    ours = f"/{name.replace('.', '/')}" if top == firststep_agent.__name__ else ""
    if ours:
        return not {f"{ours}.py", f"{ours}/__init__.py"}.isdisjoint(_own_files())
    return (top in PUBLIC or top in sys.stdlib_module_names) and NAME.fullmatch(name) is not None


@cache
def _own_files() -> frozenset[str]:
    """`/firststep_agent/run.py`, as they lie in every installation."""
    folder = Path(str(firststep_agent.__file__)).parent
    return frozenset(f"/{path.relative_to(folder.parent).as_posix()}" for path in folder.rglob("*.py"))


def version(text: Any) -> str:
    """The number that the text begins with."""
    found = VERSION.match(str(text))
    return found[0] if found else LEFT_OUT


def _number(_: Redactor, value: Any) -> Any:
    return value if isinstance(value, (bool, int, float)) or value is None else 0


def _numbers(redactor: Redactor, value: Any) -> Any:
    return [_number(redactor, item) for item in value] if isinstance(value, list) else []


def _word(redactor: Redactor, value: Any) -> Any:
    return redactor.word(value) if isinstance(value, str) else _number(redactor, value)


def _name_of_counter(redactor: Redactor, value: Any) -> Any:
    """`KIND NAME` keeps its form: what it counts depends on it."""
    return " ".join(map(redactor.word, str(value).split(" ", 1)))


def _counted(redactor: Redactor, value: Any) -> Any:
    """A number, a list of numbers, or numbers by name."""
    return redactor.value(value)


def _words(redactor: Redactor, value: Any) -> Any:
    return [_word(redactor, item) for item in value] if isinstance(value, list) else []


def _path(redactor: Redactor, value: Any) -> Any:
    return redactor.path(value) if isinstance(value, str) else None


def _paths(redactor: Redactor, value: Any) -> Any:
    return [_path(redactor, item) for item in value] if isinstance(value, list) else []


def _command(redactor: Redactor, value: Any) -> Any:
    return redactor.command([word for word in value if isinstance(word, str)]) if isinstance(value, list) else []


def _own(_: Redactor, value: Any) -> str:
    return own_words(str(value))


def _no_lines(_: Redactor, lines: Any) -> list[str]:
    return []


def _left_out(_: Redactor, value: Any) -> str:
    return f"[{len(str(value))} characters]"


def _name_of_function(redactor: Redactor, value: Any) -> Any:
    name = str(value)
    return name if NAME.fullmatch(name.replace(".<locals>", "").replace("<", "_").replace(">", "_")) else redactor.word(name)


def _name_of_span(redactor: Redactor, value: Any) -> Any:
    """Of a module, a library, or whatever else it was that took time."""
    if isinstance(value, str) and GENERATION.fullmatch(value):
        return value
    return redactor.path(value) if isinstance(value, str) and "/" in value else _word(redactor, value)


def _pairs(first: Any, second: Any) -> Any:
    return lambda redactor, value: [[first(redactor, one), second(redactor, two)] for one, two in value] if isinstance(value, list) else []


def _open_spans(redactor: Redactor, value: Any) -> Any:
    return [[_word(redactor, kind), _name_of_span(redactor, name), _number(redactor, at)] for kind, name, at in value]


def _others(redactor: Redactor, value: Any) -> Any:
    return [[_number(redactor, number), _word(redactor, name), _number(redactor, stack)] for number, name, stack in value]


def _busy(redactor: Redactor, value: Any) -> Any:
    return [[_number(redactor, number), _word(redactor, name), _number(redactor, ran), _number(redactor, stack)]
            for number, name, ran, stack in value]


def redacted_host(redactor: Redactor, value: Any) -> dict[str, Any]:
    """The machine: its numbers, and words that many machines share."""
    host = value if isinstance(value, Mapping) else {}
    known = {key: _numbers(redactor, host[key]) if key == "load" else _number(redactor, host[key])
             for key in ("cpus", "usable_cpus", "cpu_quota", "memory", "load") if key in host}
    cpu = " ".join(word for word in str(host.get("cpu", "")).split() if word in CPU_WORDS)
    return {**known, "system": _word(redactor, host.get("system", "")), "machine": _word(redactor, host.get("machine", "")),
            "release": version(host.get("release", "")), "cpu": cpu}


def _prefix(_: Redactor, value: Any) -> str:
    return PREFIX


def _tag(_: Redactor, value: Any) -> str:
    return str(value) if re.fullmatch(r"cpython-\d{2,3}", str(value), re.ASCII) else LEFT_OUT


def _flags(_: Redactor, value: Any) -> str:
    return str(value) if FLAGS.fullmatch(str(value)) else LEFT_OUT


def _seen(redactor: Redactor, value: Any) -> Any:
    return None if not isinstance(value, list) else [_number(redactor, value[0]), *(_word(redactor, item) for item in value[1:])]


def _result(redactor: Redactor, value: Any) -> Any:
    """That there was one, and of which kind; what was computed is the user's."""
    what = value.get("what") if isinstance(value, dict) else None
    return {"what": what if what in ("history", "weights", "outputs", "result", "stream", "cost", "memory") else LEFT_OUT, "name": LEFT_OUT}


def _framework_named(_: Redactor, value: Any) -> Any:
    return value if value in framework_named.WORDS else None


def _unnamed(_: Redactor, value: Any) -> Any:
    return [one for one in framework_named.OTHERS if isinstance(value, list) and one in value]


HEADER: dict[str, Any] = {
    "magic": _word, "schema": _number, "version": lambda _, value: version(value), "command": _command, "until": _words, "observe": _words,
    "boost": _words, "host": redacted_host, "spawned": _numbers, "pid": _number, "ready": _seen, "ended": _number,
    "pth": _pairs(_path, _number), "lost": _own, "exit_code": _number, "ppid": _number, "thread": _number, "origin": _word,
    "entered_ns": _number, "python": lambda _, value: version(value), "executable": _path, "tag": _tag, "prefix": _prefix,
    "framework_named": _framework_named, "unnamed": _unnamed, "given_up": _number,
    "base_prefix": _prefix, "installed": _paths, "argv": _command, "path": _paths, "cwd": _path, "flags": _flags, "preloaded": _words,
}


def _missing(_: Redactor, items: Sequence[Any]) -> tuple[Any, ...]:
    """A place that is public, as its module is."""
    return (_word, _name_of_function if items and _is_public(str(items[0])) else _word)


def _of(*acts: Any) -> Any:
    return lambda redactor, items: acts


_labels = Redactor.labels
RECORDS: dict[str, Any] = {
    "s": _of(_word, _name_of_span, _number, _number, _number, _labels), "o": _of(_number, _number, _open_spans), "f": Redactor.frame,
    "k": _of(_number, _numbers), "p": _of(_number, _number, _word, _number, _number, _number), "m": _of(_number, _word, _labels),
    "b": _of(_number, _number), "i": _of(_number, _number), "w": _of(_number, _others), "y": _of(_number, _busy),
    "u": _of(_number, _number, _number, _number),
    "t": _of(_number, _word, _number, _word), "ready": _of(_number, _word, _word), "r": _of(_number, _word, _word, _labels),
    "x": _of(_number, _number, _number, _command), "c": _of(_name_of_counter, _counted), "l": _of(_number, _left_out),
    "libraries": _of(_pairs(_path, _number)), "result": _of(_result), "missing": _missing,
    "code": _of(_paths),
    "cell": _of(_path, _number, _no_lines),
    "packages": _of(Redactor.packages), "gpu": _of(_labels), "agent": _of(_number, _number),
    "e": _of(_number, _word, _own), "uncaught": _of(_word), "end": _of(_number, _word),
}
