"""An alignment as a picture: two strings with gaps, and the table with its path."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.marks import NO_CLASS, Mark, Rects, Texts
from dmlib.pictures.places import visible_where
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, frames_by_phase, story
from dmlib.problem import TextsProblem
from dmlib.problem.texts import shortened
from dmlib.similarity.strings.alignment import AlignmentStep, pair_of
from dmlib.similarity.strings.columns import columns
from dmlib.similarity.strings.edits import Letters, scheme_of
from dmlib.similarity.strings.ledger import Narrator
from dmlib.similarity.table_scene import MAX_FRAMES, TablePlot

WIDTH = 20  # letters of a line of the alignment
MAX_LINES = 3  # pairs of lines that are shown, the last ones
CODES = {"equal": 0, "different": 1, "gap": NO_CLASS}
LEGEND = tuple(Key(kind, code, 1) for kind, code in CODES.items())  # squares, as the cells are
NAME = 24  # characters of a name
MIN_LOW = -1.2  # lower end of the panel


def alignment_scene(run: Run[TextsProblem, Any]) -> Scene:
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
    moves = scheme_of(model.measure, Letters(a, b), model.match, model.mismatch, model.gap).moves
    down, across = (shortened(problem.names[k - 1], NAME) for k in (model.first, model.second))
    table = TablePlot(
        steps[-1].matrix,
        moves,
        down=down,
        across=across,
        rows=["∅", *map(_visible, a)],
        columns=["∅", *map(_visible, b)],
        title="Best so far, D",
    )
    kinds = columns(a, b, steps[-1].path.tolist())
    first, second = steps[-1].alignment or ("", "")
    lines = _Lines(first, second, [CODES[kind] for kind in kinds])
    narrator = Narrator(run, moves)
    numbers, note = frames_by_phase(steps, MAX_FRAMES)

    def draw(moment: Moment) -> Drawing:
        step: AlignmentStep = moment.step
        aligned, _ = step.alignment or ("", "")
        marks = (*lines.marks(len(aligned)), *table.marks(step))
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(table.panel, lines.panel),
        numbers=numbers,
        legend=LEGEND,
        notes=(*lines.notes, *note),
    )


def _visible(letter: str) -> str:
    return "␣" if letter.isspace() else letter


class _Lines:
    """Two aligned strings at the end in lines of letters; of very long ones the last lines.

    Parameters
    ----------
    first, second : str
        The strings with their gaps.
    codes : sequence of int
        The class of each column.
    """

    def __init__(self, first: str, second: str, codes: Sequence[int]) -> None:
        self.length = len(first)
        width = min(max(self.length, 8), WIDTH)
        n_lines = -(-max(self.length, 1) // width)
        n_visible = min(n_lines, MAX_LINES)
        self._begin = (n_lines - n_visible) * width  # column of the first visible letter
        self._columns = np.arange(self._begin, self.length)
        line, column = np.divmod(self._columns - self._begin, width)
        x, y = column + 1.0, -line.astype(float)
        self._cells = Rects(
            x0=x - 0.46,
            x1=x + 0.46,
            y0=y - 0.3,
            y1=y + 0.3,
            color=np.array(codes[self._begin :], np.uint8),
            opacity=[0.3],
            of="",
        )
        self._letters = self._texts(first, x, y + 0.15), self._texts(second, x, y - 0.15)
        # A single pair of lines stands below its title, and not amid an empty panel.
        up = Axis("", min(0.2 - n_visible, MIN_LOW), 0.4)
        across = Axis("", 0.25, width + 0.75)
        self.panel = Panel("data", across, up, title="Alignment", side=True)

    def _texts(self, letters: str, x: Floats, y: Floats) -> Texts:
        return Texts(x=x, y=y, text=[_visible(letter) for letter in letters[self._begin :]])

    @property
    def notes(self) -> tuple[str, ...]:
        """The note on the columns that are not drawn."""
        if not self._begin:
            return ()
        return (f"The last {self.length - self._begin} of {self.length} columns are shown.",)

    def marks(self, n_traced: int) -> list[Mark]:
        """Return the letters of the traced columns: an alignment grows from its end."""
        is_traced = self._columns >= self.length - n_traced
        return [visible_where(is_traced, mark) for mark in (self._cells, *self._letters)]
