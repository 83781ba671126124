"""A trace as it may be shown to others: the program's own names stay, what says where it ran, for whom and with which keys does not.

`redact` is for bundles that go to strangers and lets through only what everybody has. A report is read by people who know the
program: functions, modules and file names stay. Folders, hosts, buckets, user names, tokens and the values of options are replaced,
always by the same stand-in, and such that the analysis of the trace finds what it found before. Everything that is written for
others is made from such a trace, so no writer can forget it.
"""

from __future__ import annotations

import os
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from firststep.model import framework_named
from firststep.model.ownership import AGENT_FILE, place_elsewhere
from firststep.model.profile import Profile, Track
from firststep.model.trace import Frame, Mark, Note, Process, Ready, Sample, Span, Spawn, StepEnd, Trace
from firststep.report.redact import PUBLIC, PYTHON

LONGEST = 4000  # characters of a text; what is longer was made to be long
MOST_NAMES = 50
SECRET, LEFT_OUT, SOMEBODY = "[secret]", "[…]", "[user]"
KEPT_HEADER = ("magic", "schema", "version", "observe", "boost", "spawned", "clock", "pid", "ended", "exit_code", "native_log", "given_up")
KEPT_PART = ("magic", "schema", "pid", "ppid", "thread", "origin", "entered_ns", "python", "tag", "flags", "preloaded")
SYSTEM = re.compile(r"/(?:usr/)?(?:lib|lib32|lib64|libx32|bin|sbin|share)/|/(?:proc|sys|dev|etc)/|/usr/local/cuda[^/]*/")
INSTALLED = re.compile(r"(.*?)/((?:lib/python[\d.]+/)?(?:site|dist)-packages(?:/.*)?)", re.DOTALL)
EVERYBODYS_PREFIX = ("/usr", "/usr/local", "/")
HOME = re.compile(r"(?:/home|/Users|/export/home|/var/home|[A-Za-z]:\\Users)[/\\]([^/\\:\s'\"]+)")
EVERYBODY = frozenset("root user users app home ubuntu debian runner jovyan vscode python shared public default me".split())
PLACE = re.compile(r"(/.*):(\d+)", re.DOTALL)

BUCKETS = frozenset("gs gcs s3 s3a s3n abfs abfss wasb wasbs adl hdfs viewfs oss cos r2 obs b2 az".split())
PUBLIC_HOSTS = frozenset((
    "localhost 127.0.0.1 ::1 0.0.0.0 metadata.google.internal metadata 169.254.169.254 storage.googleapis.com www.googleapis.com "
    "oauth2.googleapis.com tfhub.dev huggingface.co pypi.org files.pythonhosted.org github.com raw.githubusercontent.com "
    "unnamed www.tensorflow.org www.kaggle.com s3.amazonaws.com"
).split())
OPTION = re.compile(r"(--?[A-Za-z][A-Za-z\d_-]*)(=?)(.*)", re.DOTALL)
NUMBER = re.compile(r"[+-]?\d{1,9}(?:\.\d{1,9})?(?:[eE][+-]?\d{1,3})?|true|false|none|auto", re.IGNORECASE)
MODULE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", re.ASCII)

URL = re.compile(r"\b([A-Za-z][A-Za-z\d+.-]{1,15})://([^\s'\"<>`|\\,;]*)")
IN_QUOTES = re.compile(r"(?P<quote>['\"])(?P<path>/[^'\"\n]*)(?P=quote)")
PATH = re.compile(r"(?<![\w.)\]~/<-])(?:/[^\s'\"`,;:()\[\]{}<>|=/]+){2,}/?")
TILDE = re.compile(r"~[\w.-]*/[^\s'\",;:()]+")
WINDOWS = re.compile(r"\b[A-Za-z]:\\[^\s'\"]+")
MAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)*")
ADDRESS = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])|(?<![\w:])(?:[0-9a-fA-F]{1,4}:){3,7}[0-9a-fA-F]{0,4}(?![\w:])")
DOMAIN = re.compile(r"(?<![\w./-])(?:[A-Za-z\d][\w-]*\.)+(?:internal|local|corp|lan|intranet|com|net|org|cloud|example|test)(?![\w(])")
KEYS = re.compile(
    r"-----BEGIN [A-Z ]*KEY-----.*|\b(?:Bearer|Basic) +\S+|\beyJ[\w-]+(?:\.[\w-]*)*|\b(?:AKIA|ASIA|AIza)[\w-]{8,}"
    r"|\b(?:gh[opsur]|github_pat|hf|npm|wandb|glpat|pypi|sk|pk|rk|xox[a-z]|SG|ya29|dapi|shpat)[_.-][\w.-]{8,}|\bssh-(?:rsa|ed25519) +\S+"
    r"|\b[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}\b",
    re.DOTALL)
NAMED_SECRET = re.compile(
    r"(?P<name>(?:passw(?:or)?d|passphrase|pwd|secret|token|api_?-?key|access_?-?key|account_?-?key|credentials?|signature|"
    r"cookie|authorization)\w{0,20}(?:['\"]\s*\]?\s*(?:=+|:|,)|\s*(?:=+|:(?!:)))\s*)"
    r"(?P<value>\"[^\"]*\"|'[^']*'|[^\s,;)&]+)", re.IGNORECASE)
RUN = re.compile(r"[A-Za-z\d]{20,}")
TURNS = re.compile(r"(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])")
MANY_TURNS = 4  # between letters and digits: names have fewer, keys and digests more
LITERAL = re.compile(r"(?P<long>\"\"\"|''')(?P<lines>(?s:(?:\\.|(?!(?P=long)).)*))(?:(?P=long)|\Z)"
                     r"|(?P<quote>\"|')(?P<inside>(?:\\(?s:.)|(?!(?P=quote)).)*)(?P<end>(?P=quote)|$)|(?P<comment>#.*)", re.MULTILINE)
PLAIN_WORD = re.compile(r"[A-Za-z][A-Za-z_ .-]{0,23}|float(?:16|32|64)|bfloat16|u?int(?:8|16|32|64)|[rwab+]{1,3}|")
QUOTED = re.compile(r"""(['"])(?:\\.|(?!\1).){0,500}\1""", re.DOTALL)
QUOTING = frozenset("why signature".split())  # labels with values of the program
HOSTS = frozenset("peer peers host hosts address target members master".split())  # labels that name one


def shared(trace: Trace) -> Trace:
    """The trace without what is nobody else's business."""
    return _Sharing(trace).trace()


def shared_with(trace: Trace, profiles: Iterable[Profile]) -> tuple[Trace, tuple[Profile, ...]]:
    """The same, and what other profilers saw of the run, with the same stand-ins."""
    sharing = _Sharing(trace)
    return sharing.trace(), tuple(map(sharing.profile, profiles))


class _Sharing:
    """One trace: the same string gets the same stand-in everywhere in it."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._stand_ins: dict[str, dict[str, int]] = defaultdict(dict)
        self._pythons = _distinct(str(part.header.get(key) or "") for part in trace.processes for key in ("prefix", "base_prefix"))
        self._folders = _distinct(str(part.header.get("cwd") or "") for part in trace.processes)
        self._elsewhere_installed = tuple(map(str, trace.header.get("installed", ())))
        self._names = _names(trace)
        self._known: dict[tuple[Callable[[str], str], str], str] = {}
        self._frames: dict[Frame, Frame] = {}
        self._stacks: dict[int, tuple[Frame, ...]] = {}

    def trace(self) -> Trace:
        header = self._trace.header
        kept = {key: header[key] for key in KEPT_HEADER if key in header}
        until = [self.text(str(value)) if isinstance(value, str) else value for value in header.get("until", ())]
        seen = header.get("ready")
        return replace(self._trace, processes=tuple(map(self._process, self._trace.processes)), header={
            **kept,
            "command": self.words(header.get("command", ())),
            "until": until,
            "host": {key: self.labels(value) for key, value in header.get("host", {}).items()},
            "source": {self.path(file): {line: self.code(text) for line, text in lines.items()}
                       for file, lines in header.get("source", {}).items()},
            **({"pth": [[self.path(file), ns] for file, ns in header["pth"]]} if header.get("pth") is not None else {}),
            **({"lost": self.text(str(header["lost"]))} if header.get("lost") else {}),
            "log": [[at, self.text(line)] for at, line in header.get("log", ())],
            "ready": [seen[0], seen[1], self.text(seen[2])] if seen else None,
            "framework_named": named if (named := header.get("framework_named")) in framework_named.WORDS else None,
            "unnamed": [one for one in framework_named.OTHERS if one in (header.get("unnamed") or ())],
        })

    def profile(self, profile: Profile) -> Profile:
        tracks = tuple(Track(self.text(track.name), tuple(map(self._span, track.spans))) for track in profile.tracks)
        return replace(profile, file=self.text(profile.file), tracks=tracks)

    def _span(self, one: Span) -> Span:
        return Span(one.kind, self.name(one.name), one.start, one.end, one.thread, self.labels(one.labels), one.ended)

    def _process(self, part: Process) -> Process:
        text = self.text
        return replace(
            part,
            header=self._part(part.header),
            spans=tuple(map(self._span, part.spans)),
            samples=tuple(Sample(one.at, self._stack(one.stack), *_rest(one)) for one in part.samples),
            threads=tuple((at, text(name), self._stack(stack)) for at, name, stack in part.threads),
            called=tuple((at, self._stack(stack)) for at, stack in part.called),
            cells={self.path(file): (number, tuple(map(self.code, _without_long_strings(lines))))
                   for file, (number, lines) in part.cells.items()},
            marks=tuple(Mark(one.at, text(one.name), self.labels(one.labels)) for one in part.marks),
            steps=tuple(StepEnd(one.at, one.kind, one.number, text(one.label)) for one in part.steps),
            notes=tuple(Note(one.at, one.remedy, one.what, self.labels(one.labels)) for one in part.notes),
            spawns=tuple(Spawn(one.start, one.end, one.pid, tuple(self.words(one.arguments))) for one in part.spawns),
            errors=tuple(map(text, part.errors)),
            counters={text(name): value for name, value in part.counters.items()},
            libraries=tuple((self.path(file), size) for file, size in part.libraries),
            results=(),
            code=tuple(map(self.path, part.code)),
            log=tuple((at, text(line)) for at, line in part.log),
            gpu=self.labels(part.gpu),
            ready=Ready(part.ready.at, part.ready.kind, text(part.ready.label)) if part.ready else None,
        )

    def _part(self, header: Mapping[str, Any]) -> dict[str, Any]:
        kept = {key: header[key] for key in KEPT_PART if key in header}
        places = {key: self.path(str(header[key])) for key in ("executable", "prefix", "base_prefix", "cwd") if header.get(key)}
        entries = [self.path(str(one)) for one in header.get("path", ())]
        return {**kept, **places, "argv": self.words(header.get("argv", ())), "path": entries}

    def _stack(self, stack: tuple[Frame, ...]) -> tuple[Frame, ...]:
        """Stacks that are one object stay one object."""
        if id(stack) not in self._stacks:
            self._stacks[id(stack)] = tuple(map(self._frame, stack))
        return self._stacks[id(stack)]

    def _frame(self, frame: Frame) -> Frame:
        if frame not in self._frames:
            self._frames[frame] = Frame(self.path(frame.file), self.text(frame.function), frame.first_line, frame.line)
        return self._frames[frame]

    def labels(self, value: Any, key: str = "") -> Any:
        """What is said beside a name, of any kind."""
        if isinstance(value, str):
            return self.host(value) if key in HOSTS else self.values(value) if key in QUOTING else self.name(value)
        if isinstance(value, Mapping):
            return {self.text(str(name)): self.labels(item, str(name)) for name, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.labels(item, key) for item in value]
        return value

    def words(self, words: Sequence[Any]) -> list[str]:
        """A command line: the interpreter with its options, the program, and of its own options the names, and values that are numbers."""
        found = [str(word) for word in words]
        python = bool(found) and PYTHON.fullmatch(found[0]) is not None
        shown, program = [self.path(found[0])] if found else [], not python
        rest = iter(found[1:])
        for word in rest:
            if not program and word in ("-c", "-m"):
                following = next(rest, "")
                shown += [word, self.code(following) if word == "-c" else following if MODULE.fullmatch(following) else LEFT_OUT]
                program = True
            elif not program and word in ("-W", "-X"):
                shown += [word, LEFT_OUT][:1 + len(list(islice(rest, 1)))]
            elif not program and word.startswith("-") and word[1:].isalpha():
                shown.append(word)
            elif not program:
                shown.append(self._program(word))
                program = True
            else:
                shown.append(self._word(word))
        return shown

    def _program(self, word: str) -> str:
        return self.path(word) if word.startswith(("/", "~")) or "://" in word or ".." in word else self.text(word)

    def _word(self, word: str) -> str:
        option = OPTION.fullmatch(word)
        if option and (option[1].startswith("--") or len(option[1]) == 2) and (option[2] or not option[3]):
            return self.text(option[1]) + option[2] + (self._value(option[3]) if option[2] else "")
        return self._value(word)

    def _value(self, word: str) -> str:
        if NUMBER.fullmatch(word) or word == "--":
            return word
        return self.path(word) if word.startswith("/") else LEFT_OUT

    def path(self, text: str) -> str:
        """A file: below the program's folder, the interpreter or the system's as it is; elsewhere its last name alone."""
        return self._once(self._path, text)

    def name(self, text: str) -> str:
        """What something is called: a file, a place in one, or anything else."""
        if text.startswith("/") and (place := PLACE.fullmatch(text)):
            return f"{self.path(place[1])}:{place[2]}"
        return self.path(text) if text.startswith("/") else self.text(text)

    def text(self, text: str) -> str:
        """A sentence, or a name that is no file's."""
        return self._once(self._text, text)

    def code(self, text: str) -> str:
        """A line of source: its strings only where they are plain words, no comments."""
        return self._once(self._code, text)

    def values(self, text: str) -> str:
        """A sentence that quotes what the program computed with."""
        return self._once(self._values, text)

    def host(self, text: str) -> str:
        """A peer: `host:port`, an address, a URL, the path of a socket."""
        return self._once(self._host, text)

    def _once(self, act: Callable[[str], str], text: str) -> str:
        key = (act, text)
        if key not in self._known:
            self._known[key] = act(text if len(text) <= LONGEST else text[:LONGEST] + "…")
        return self._known[key]

    def _path(self, text: str) -> str:
        place = place_elsewhere(text, self._elsewhere_installed)
        if place:
            return f"/{self._stand_in('packages', place)}/site-packages/" + self._scrubbed(text[place.rindex("/") + 1:])
        if not text.startswith("/"):
            if "://" in text or text.startswith(("~", "..")):
                return self._text(text) if "://" in text else self._elsewhere(text)
            return self._text(text)
        for kind, folders in (("python", self._pythons), ("program", self._folders)):
            for number, folder in folders:
                if text == folder or text.startswith(folder + "/"):
                    if kind == "program" and (installed := INSTALLED.fullmatch(text)):
                        return self._installed(installed)
                    return f"/{kind}{number}" + self._scrubbed(text[len(folder):])
        if installed := INSTALLED.fullmatch(text):
            return self._installed(installed)
        if SYSTEM.match(text) or text == "/":
            return self._scrubbed(text)
        if AGENT_FILE.match(text):  # installed in place
            return text[text.rindex("/firststep_agent/"):]
        return self._elsewhere(text)

    def _installed(self, found: re.Match[str]) -> str:
        return "/" + self._stand_in("packages", found[1]) + "/" + self._scrubbed(found[2])

    def _elsewhere(self, text: str) -> str:
        folder, _, name = text.rstrip("/").rpartition("/")
        return "/" + self._stand_in("elsewhere", folder) + "/" + self._scrubbed(name)

    def _stand_in(self, kind: str, text: str) -> str:
        known = self._stand_ins[kind]
        return f"{kind}-{known.setdefault(text, len(known) + 1)}"

    def _text(self, text: str) -> str:
        return self._sentence(NAMED_SECRET.sub(lambda found: found["name"] + SECRET, text))

    def _sentence(self, text: str) -> str:
        """Text in which paths, addresses and keys may stand anywhere."""
        text = KEYS.sub(SECRET, text)
        shown, at = "", 0
        for found in URL.finditer(text):
            shown += self._between_urls(text[at:found.start()]) + self._url(found)
            at = found.end()
        return shown + self._between_urls(text[at:])

    def _between_urls(self, text: str) -> str:
        text = IN_QUOTES.sub(lambda found: found["quote"] + self.path(found["path"]) + found["quote"], text)
        text = PATH.sub(lambda found: self.path(found[0]), text)
        text = TILDE.sub(lambda found: self._elsewhere(found[0]), text)
        text = WINDOWS.sub(lambda found: self._elsewhere(found[0].replace("\\", "/")), text)
        return self._scrubbed(text)

    def _scrubbed(self, text: str) -> str:
        """Without keys, addresses and names of people, wherever they stand."""
        if text.isidentifier() and text not in self._names and len(text) < 20:
            return text
        text = KEYS.sub(SECRET, text)
        text = MAIL.sub(SOMEBODY, text)
        text = ADDRESS.sub(lambda found: self._host(found[0]), text)
        text = DOMAIN.sub(lambda found: found[0] if _is_module(found[0]) else self._host(found[0]), text)
        text = RUN.sub(lambda found: SECRET if len(TURNS.findall(found[0])) >= MANY_TURNS else found[0], text)
        return self._names_out(text) if self._names else text

    def _names_out(self, text: str) -> str:
        pattern = r"(?<![A-Za-z\d])(?:" + "|".join(map(re.escape, self._names)) + r")(?![A-Za-z\d])"
        return re.sub(pattern, SOMEBODY, text)

    def _url(self, found: re.Match[str]) -> str:
        scheme, rest = found[1].lower(), found[2]
        where, slash, path = rest.partition("/")
        if scheme == "file":
            return f"{scheme}://{self.path(slash + path)}"
        where = where.rpartition("@")[2]
        name = self._scrubbed(re.split(r"[?#]", path)[0].rstrip("/").rpartition("/")[2])
        if scheme in BUCKETS:
            return f"{scheme}://{self._stand_in('bucket', rest.partition('/')[0])}" + (f"/…/{name}" if name else "")
        return f"{scheme}://{self._host(where)}" + ("/…" if path else "")

    def _host(self, text: str) -> str:
        if "://" in text:
            return self._text(text)
        if text.startswith("/"):
            return self.path(text)
        name, colon, port = text.rpartition(":") if re.fullmatch(r"\[?[^\[\]]*\]?:\d+", text) else (text, "", "")
        if name.strip("[]").lower() in PUBLIC_HOSTS or not name:
            return text
        return self._stand_in("host", name) + colon + port

    def _values(self, text: str) -> str:
        return self._sentence(QUOTED.sub(r"\1…\1", text))

    def _code(self, text: str) -> str:
        text = NAMED_SECRET.sub(lambda found: found["name"] + _elided(found["value"]), text)
        return self._sentence(LITERAL.sub(_literal, text))


def _elided(value: str) -> str:
    """What is assigned to a name that sounds secret: its text, if it is one; a call or a name is none."""
    return value[0] + SECRET + value[0] if value[:1] in "'\"" else value


def _literal(found: re.Match[str]) -> str:
    if found["comment"] is not None:
        return "# …"
    if found["long"]:
        text = found["lines"]
        return found["long"] + (text if PLAIN_WORD.fullmatch(text) else "…") + found["long"]
    inside = found["inside"]
    return f"{found['quote']}{inside if PLAIN_WORD.fullmatch(inside) or inside == SECRET else '…'}{found['end']}"


def _without_long_strings(lines: Sequence[str]) -> list[str]:
    """As many lines, without what stands in strings that go over several of them: alone, such a line looks like code."""
    def emptied(found: re.Match[str]) -> str:
        text, quote = found[0], found["long"] or found["quote"]
        return f"{quote}…{quote}" + "\n" * text.count("\n") if quote and "\n" in text else text

    return LITERAL.sub(emptied, "\n".join(lines)).split("\n")


def _rest(one: Sample) -> tuple[str, int, int, int]:
    return one.state, one.call, one.ran, one.waited


def _is_module(name: str) -> bool:
    top = name.partition(".")[0]
    return top in PUBLIC or top in sys.stdlib_module_names


def _distinct(folders: Iterable[str]) -> list[tuple[str, str]]:
    """(number, folder), the longest first; the first one that was named has no number."""
    found: list[str] = []
    for folder in folders:
        folder = folder.rstrip("/")
        if folder.startswith("/") and folder not in EVERYBODYS_PREFIX and folder not in found:
            found.append(folder)
    numbered = [("" if number == 0 else f"-{number + 1}", folder) for number, folder in enumerate(found)]
    return sorted(numbered, key=lambda one: -len(one[1]))


def _names(trace: Trace) -> tuple[str, ...]:
    """The names of people that folders of the trace are called after, the longest first."""
    found: set[str] = set()
    header = trace.header
    texts = [*map(str, header.get("command", ())), *header.get("source", {})]
    for part in trace.processes:
        texts += [str(part.header.get(key) or "") for key in ("cwd", "prefix", "executable")]
        texts += [str(word) for word in part.header.get("argv", ())]
        texts += list({frame.file for sample in part.samples for frame in sample.stack})
    for text in texts:
        found.update(HOME.findall(text))
    said = (name for name in found if len(name) > 2 and name.lower() not in EVERYBODY and not _is_module(name) and not name.isdigit())
    return tuple(sorted(said, key=lambda name: (-len(name), name))[:MOST_NAMES])


def relative(file: str, trace: Trace) -> str | None:
    """The file as seen from where the program ran; None where it is not below."""
    for part in trace.processes:
        folder = str(part.header.get("cwd") or "").rstrip("/")
        if folder and file.startswith(folder + os.sep):
            return file[len(folder) + 1:]
    return file if file and not file.startswith(("/", "<")) else None
