"""An alignment in words and numbers: the moves into a cell, and the columns of the alignment."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, short_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, signed
from dmlib.problem.texts import shortened
from dmlib.similarity.recurrence import Move
from dmlib.similarity.strings.alignment import GAP, AlignmentStep, columns, pair_of
from dmlib.similarity.strings.edits import SCORED
from dmlib.similarity.table_scene import cell_numbers

ARROWS = {"delete": "↓", "insert": "→", "transpose": "↘↘"}
MAX_LETTERS = 44  # letters of a string in a line
VERBS = {"levenshtein": "edit", "damerau": "edit", "hamming": "substitution"}


class Narrator:
    """Captions and ledgers of an alignment.

    Parameters
    ----------
    run : Run
        The run.
    moves : tuple of Move
        The moves of its scheme.
    """

    def __init__(self, run: Run, moves: tuple[Move, ...]) -> None:
        self.model, self.moves = run.model, moves
        self.a, self.b = pair_of(run.problem.texts, run.model.first, run.model.second)
        self.by_cell = len(run.trace.steps) > 1 and run.trace.steps[1].n_filled == 2
        self.maximum = self.model.measure in (*SCORED, "lcs")
        self.value_name = "length" if self.maximum else "distance"
        if self.model.measure in SCORED:
            self.value_name = "score"

    def tell(self, now: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        phases = {
            "start": self._start,
            "cell": self._cell,
            "trace": self._trace,
            "done": self._done,
        }
        return phases[now.step.phase](now.step)

    # --- phases -----------------------------------------------------------------------------------

    def _start(self, step: AlignmentStep) -> tuple[str, Blocks]:
        return "Two empty strings are equal: the first cell is 0.", [Formula("D(0, 0) = 0")]

    def _cell(self, step: AlignmentStep) -> tuple[str, Blocks]:
        i, j = step.cell
        value = num4(step.value)
        if not self.by_cell:
            caption = (
                f"Row {i} is filled; its best cell is ({i}, {j}) with the {self.value_name}"
                f" {value}."
            )
        elif step.choice < 0:
            caption = f"Cell ({i}, {j}): no move leads above 0, and an alignment may start here."
        else:
            caption = f"Cell ({i}, {j}): {self._does(step)}, and the {self.value_name} is {value}."
        return caption, self._arithmetic(step)

    def _trace(self, step: AlignmentStep) -> tuple[str, Blocks]:
        i, j = step.cell
        if len(step.path) == 1:
            where = (
                "the largest value" if self.model.measure == "smith-waterman" else "the last cell"
            )
            caption = (
                f"The alignment ends in ({i}, {j}), {where}: the {self.value_name} is"
                f" {num4(step.value)}."
            )
        elif step.choice < 0:
            caption = f"Cell ({i}, {j}) is the start of the alignment."
        else:
            caption = f"Traced back to cell ({i}, {j}), which was reached as {self._does(step)}."
        return caption, [*self._arithmetic(step), *self._rows(step)]

    def _done(self, step: AlignmentStep) -> tuple[str, Blocks]:
        kinds = columns(self.a, self.b, step.path.tolist())
        n, different, n_gaps = (kinds.count(kind) for kind in ("equal", "different", "gap"))
        value = num4(step.value)
        verb = VERBS.get(self.model.measure)
        result = f"The {self.value_name} is {value}"
        if verb is not None:
            edits = count(int(step.value), f"{verb} turns", f"{verb}s turn")
            result = f"{edits} one string into the other"
        equal = f"{count(n, 'letter is', 'letters are')} equal"
        caption = f"Done. {result}; {equal} in the {len(kinds)} columns."
        parts = f"{len(kinds)} columns: {n} equal, {different} different, {n_gaps} with a gap"
        lines = [f"{self.value_name} = {num(step.value)}", parts]
        if self.model.measure in SCORED:
            m = self.model
            terms = (
                f"{n} · {signed(m.match)} + {different} · {signed(m.mismatch)} + {n_gaps} ·"
                f" {signed(m.gap)}"
            )
            lines.insert(1, f"{terms} = {num(step.value)}")
        return caption, [*map(Formula, lines), *self._rows(step), *self._columns(step)]

    # --- arithmetic -------------------------------------------------------------------------------

    def _does(self, step: AlignmentStep) -> str:
        """Say what the chosen move does."""
        i, j = step.cell
        move = self.moves[step.choice]
        a, b = (shortened(text, 3) or "␣" for text in (self.a[i - 1 : i], self.b[j - 1 : j]))
        if move.name == "delete":
            return f"{a} is deleted"
        if move.name == "insert":
            return f"{b} is inserted"
        if move.name == "transpose":
            return f"{self.a[i - 2 : i]} is transposed to {self.b[j - 2 : j]}"
        if self.a[i - 1] == self.b[j - 1]:
            return f"{a} meets {b}"
        return (
            f"{a} is aligned with {b}"
            if self.model.measure in SCORED
            else f"{a} is substituted by {b}"
        )

    def _arithmetic(self, step: AlignmentStep) -> Blocks:
        """Write out the candidates of a cell."""
        i, j = step.cell
        if not step.candidates:
            return self._start(step)[1]
        rows, possible, sources = [], [], []
        for move, candidate in zip(self.moves, step.candidates, strict=True):
            if np.isfinite(candidate):
                added = self._added(move, i, j)
                arrow = ARROWS.get(move.name, "↘")
                rows.append(
                    (f"{arrow} {move.name}", num(candidate - added), num(added), num(candidate))
                )
                possible.append(num(candidate))
                sources.append((i - move.rows, j - move.columns))
        finite = np.flatnonzero(np.isfinite(step.candidates)).tolist()
        emphasis = [finite.index(step.choice)] if step.choice in finite else []
        best = "max" if self.maximum else "min"
        floor = ["0"] if self.model.measure == "smith-waterman" else []
        head, title = ("move", "from", "adds", "sum"), f"Moves into ({i}, {j})"
        return [
            LedgerTable(
                head,
                rows,
                title,
                emphasis,
                by="cell",
                numbers=cell_numbers(sources, len(self.b) + 1),
            ),
            Formula(f"D({i}, {j}) = {best}({', '.join([*floor, *possible])}) = {num(step.value)}"),
        ]

    def _added(self, move: Move, i: int, j: int) -> float:
        return float(np.ravel(move.cost(i + j, i, i + 1))[0])

    def _rows(self, step: AlignmentStep) -> Blocks:
        """Return the alignment as two rows, by its end."""
        first, second = step.alignment or ("", "")
        if not first:
            return []
        is_cut = len(first) > MAX_LETTERS
        ellipsis = "…" if is_cut else ""
        rows = [
            ("first", ellipsis + first[-MAX_LETTERS:]),
            ("second", ellipsis + second[-MAX_LETTERS:]),
        ]
        return [
            LedgerTable(
                ("string", "alignment"), rows, "Alignment (its end)" if is_cut else "Alignment"
            )
        ]

    def _columns(self, step: AlignmentStep) -> Blocks:
        """Return the letters that each move of the alignment sets side by side."""
        cells, rows = step.path.tolist(), []
        for (i, j), (k, m) in pairwise(cells):
            kind = "transposed" if k - i > 1 else columns(self.a, self.b, [(i, j), (k, m)])[0]
            rows.append((f"({k}, {m})", _letters(self.a[i:k]), _letters(self.b[j:m]), kind))
        if not rows:
            return []
        head, title = ("cell", "first", "second", "letters"), "Moves of the alignment"
        numbers = cell_numbers(cells[1:], len(self.b) + 1)
        return [short_table(head, rows, title, of="moves", by="cell", numbers=numbers)]


def _letters(text: str) -> str:
    if not text:
        return GAP
    return shortened(text, 3) or "␣"
