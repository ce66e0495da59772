"""An alignment as a picture: the two strings with gaps, letter above letter, and the table with its path."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Mark, PerFrame, Rects, Texts
from dmlib.pictures.motion import thin, thinned_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.problem.texts import shortened
from dmlib.similarity.recurrence import Move
from dmlib.similarity.strings.alignment import AlignmentStep, columns, pair_of
from dmlib.similarity.strings.edits import Letters, scheme_of
from dmlib.similarity.strings.ledger import AlignmentTeller
from dmlib.similarity.table_scene import TableFrame, TablePicture

MOST_FILLED, MOST_TRACED = 120, 80  # frames of either part of a run
WIDTH = 30  # letters of a line of the alignment
MOST_LINES = 4  # pairs of lines that are shown, the last ones
CODES = {"equal": 0, "different": 1, "gap": NO_CLASS}
LEGEND = tuple(Key(kind, code, 1) for kind, code in CODES.items())  # squares, as the cells are
NAME = 24  # characters of a name


def alignment_scene(run: Run) -> Scene:
    """Draw a run of :class:`dmlib.similarity.StringAlignment`.

    Examples
    --------
    >>> from dmlib.problem import prepare_texts
    >>> from dmlib.similarity import StringAlignment
    >>> scene = alignment_scene(Run.of(prepare_texts(["tea", "ten"]), StringAlignment()))
    >>> scene.frames[-1].caption
    'Done. 1 edit turns one string into the other; 2 letters are equal in the 3 columns.'
    """
    model, problem, steps = run.model, run.problem, run.trace.steps
    a, b = pair_of(problem.texts, model.first, model.second)
    shown, notes = _shown(steps)
    scheme = scheme_of(model.measure, Letters(a, b), model.match, model.mismatch, model.gap)
    names = [shortened(problem.names[k - 1], NAME) for k in (model.first, model.second)]
    picture = TablePicture(
        steps[-1].matrix,
        [_table_frame(step, scheme.moves) for step in shown],
        down=names[0],
        across=names[1],
        rows=["∅", *map(_visible, a)],
        columns=["∅", *map(_visible, b)],
        title="Best so far, D",
    )
    kinds = columns(a, b, steps[-1].path.tolist())
    lines = _Lines([step.alignment or ("", "") for step in shown], [CODES[kind] for kind in kinds])
    teller = AlignmentTeller(run, scheme.moves)
    marks = [*lines.marks(), *picture.marks()]
    return Scene(
        (lines.panel, picture.panel),
        marks,
        Deferred(teller.frame, shown),
        (*problem.notes, *lines.notes, *notes),
        legend=LEGEND,
    )


def _shown(steps: Sequence[AlignmentStep]) -> tuple[list[AlignmentStep], tuple[str, ...]]:
    """Return the steps that have a frame, and the sentence on the others."""
    filling = [step for step in steps if step.phase in ("start", "cell")]
    tracing = [step for step in steps if step.phase == "trace"]
    some, back = thin(len(filling), MOST_FILLED), thin(len(tracing), MOST_TRACED)
    return [*(filling[i] for i in some), *(tracing[i] for i in back), steps[-1]], thinned_note(some) or thinned_note(
        back
    )


def _table_frame(step: AlignmentStep, moves: Sequence[Move]) -> TableFrame:
    i, j = step.cell
    possible = (
        [k for k, candidate in enumerate(step.candidates) if np.isfinite(candidate)] if step.phase != "done" else []
    )
    sources = [(i - moves[k].rows, j - moves[k].columns) for k in possible]
    chosen = possible.index(step.choice) if step.choice in possible else -1
    return TableFrame(step.cell, step.n_filled, sources, chosen, step.path.tolist())


def _visible(letter: str) -> str:
    return "␣" if letter.isspace() else letter


class _Lines:
    """Two aligned strings in lines of a few letters; of very long ones the last lines."""

    def __init__(self, alignments: Sequence[tuple[str, str]], codes: Sequence[int]) -> None:
        self.alignments, self.codes = alignments, codes
        one, _ = alignments[-1]
        self.width = min(max(len(one), 8), WIDTH)
        self.n_lines = -(-max(len(one), 1) // self.width)
        self.begin = max(0, self.n_lines - MOST_LINES) * self.width  # column of the first letter that is shown
        self.shown = min(self.n_lines, MOST_LINES)
        self.length = len(one)

    @property
    def notes(self) -> tuple[str, ...]:
        """Say that a part is shown."""
        return (f"The last {self.length - self.begin} of {self.length} columns are shown.",) if self.begin else ()

    @property
    def panel(self) -> Panel:
        """The panel of the lines, the first on top."""
        x = Axis("column of the alignment" if self.shown == 1 else "", 0.25, self.width + 0.75, integer=True)
        return Panel("data", x, Axis("", -self.shown + 0.2, 0.8), title="Alignment")

    def marks(self) -> list[Mark]:
        """Return the letters as far as they are traced: an alignment grows from its end."""
        one, other = self.alignments[-1]
        column = np.arange(self.begin, self.length)
        x = (column - self.begin) % self.width + 1.0
        line = -((column - self.begin) // self.width).astype(float)
        pairs = list(zip(one[self.begin :], other[self.begin :], strict=True))
        color = np.array(self.codes[self.begin :], np.uint8)

        def there(pair: tuple[str, str]) -> Any:
            return np.where(column >= self.length - len(pair[0]), x, np.nan)

        places = PerFrame(Deferred(there, self.alignments))
        left, right = (PerFrame(Deferred(lambda pair, d=d: there(pair) + d, self.alignments)) for d in (-0.46, 0.46))
        cells = Rects(x0=left, x1=right, y0=line - 0.3, y1=line + 0.3, color=color, opacity=[0.3], of="")
        rows = [
            Texts(x=places, y=line + at, text=[_visible(pair[side]) for pair in pairs])
            for side, at in ((0, 0.15), (1, -0.15))
        ]
        return [cells, *rows]
