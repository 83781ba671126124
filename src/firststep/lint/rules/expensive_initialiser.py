"""Large orthogonal matrices are computed as initial values.

Symptom: building a model takes seconds before anything is trained.

Why: an orthogonal initial value is the QR decomposition of a random matrix, whose work grows with the cube of the
number of units. `LSTM`, `GRU` and `SimpleRNN` use it by default for their recurrent weights.

Confirmed by: `firststep record`, which gives milliseconds and bytes by kind of initialiser. In source, a recurrent
layer, or a layer with `kernel_initializer="orthogonal"`, of at least UNITS units. With four gates and 1,024 units one
such matrix took 1.8 s on one machine of 2 cores, 55 times the `glorot_uniform` of the same shape; with 256 units, 0.09
s. With one gate, as of `SimpleRNN`, 1,024 units took 0.2 s; with four, 2,048 units took 7.8 s.

Remedy: `recurrent_initializer="glorot_uniform"` starts in a fraction of the time. It is another starting point for
training: long sequences may learn more slowly, so compare before you keep it. Where weights are loaded anyway, it
changes nothing.

Source: `keras.initializers.Orthogonal`; Saxe et al., "Exact solutions to the nonlinear dynamics of learning in deep
linear neural networks".

Fix: none; another initial value is another training run.
"""

from __future__ import annotations

from collections.abc import Iterator

from firststep.lint.findings import LintFinding
from firststep.lint.program import Program
from firststep.lint.program.initialisers import DENSE, RECURRENT, UNITS, orthogonal_units

LONG = 4 * 1024**3  # columns × rows²: LSTM(1024) took 1.2 and 1.8 s on two machines; SimpleRNN(1024), a fourth of it, 0.2 s
WORDS = ("rthogonal", "LSTM", "GRU", "SimpleRNN")


def check(program: Program) -> Iterator[LintFinding]:
    for call in program.calls(*RECURRENT, *DENSE):
        units, keyword = orthogonal_units(program, call) or (0, "")
        if units >= UNITS:
            message = _message(units, RECURRENT.get(program.name(call.func) or ""))
            yield program.finding(__name__, call, message, f"a cheaper `{keyword}` (\"glorot_uniform\") where training allows it")


def _message(units: int, gates: int | None) -> str:
    """What is said of the matrix: its size, where the layer alone gives it, and its time where the size tells that."""
    if gates is None:
        return f"the initial value is an orthogonal matrix for {units:,} units, by a QR decomposition"
    long = ", a second or more" if gates * units**3 >= LONG else ""
    return f"the initial value is an orthogonal matrix of {units:,} × {gates * units:,}, by a QR decomposition{long}"
