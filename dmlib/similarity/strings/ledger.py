"""An alignment in words and numbers: the moves into a cell, and the columns of the alignment."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, short_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, signed
from dmlib.problem import TextsProblem
from dmlib.problem.texts import shortened
from dmlib.similarity.recurrence import Move
from dmlib.similarity.strings.alignment import AlignmentStep, pair_of
from dmlib.similarity.strings.columns import GAP, columns
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

    def __init__(self, run: Run[TextsProblem, Any], moves: tuple[Move, ...]) -> None:
        self.model, self.moves = run.model, moves
        self.a, self.b = pair_of(run.problem.texts, run.model.first, run.model.second)
        self.by_cell = len(run.trace.steps) > 1 and run.trace.steps[1].n_filled == 2
        self.maximum = self.model.measure in (*SCORED, "lcs")
        self.value_name = "length" if self.maximum else "distance"
        if self.model.measure in SCORED:
            self.value_name = "score"

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: AlignmentStep = moment.step
        phases = {
            "start": self._start,
            "cell": self._cell,
            "trace": self._trace,
            "done": self._done,
        }
        return phases[step.phase](step)

    # --- phases -----------------------------------------------------------------------------------

    def _start(self, step: AlignmentStep) -> tuple[str, Blocks]:
        return "Two empty strings are equal: the first cell is 0.", [Formula("D(0, 0) = 0")]

    def _cell(self, step: AlignmentStep) -> tuple[str, Blocks]:
        i, j = step.cell
        value = num4(step.value)
        if not self.by_cell:
            best = f"its best cell is ({i}, {j}) with the {self.value_name} {value}"
            caption = f"Row {i} is filled; {best}."
        elif step.choice < 0:
            caption = f"Cell ({i}, {j}): no move leads above 0, and an alignment may start here."
        else:
            caption = f"Cell ({i}, {j}): {self._event(step)}, and the {self.value_name} is {value}."
        return caption, self._arithmetic(step)

    def _trace(self, step: AlignmentStep) -> tuple[str, Blocks]:
        i, j = step.cell
        if len(step.path) == 1:
            is_local = self.model.measure == "smith-waterman"
            end = "the largest value" if is_local else "the last cell"
            value = f"the {self.value_name} is {num4(step.value)}"
            caption = f"The alignment ends in ({i}, {j}), {end}: {value}."
        elif step.choice < 0:
            caption = f"Cell ({i}, {j}) is the start of the alignment."
        else:
            caption = f"Traced back to cell ({i}, {j}), which was reached as {self._event(step)}."
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
            scores = map(signed, (self.model.match, self.model.mismatch, self.model.gap))
            pairs = zip((n, different, n_gaps), scores, strict=True)
            terms = " + ".join(f"{times} · {score}" for times, score in pairs)
            lines.insert(1, f"{terms} = {num(step.value)}")
        return caption, [*map(Formula, lines), *self._rows(step), *self._columns(step)]

    # --- arithmetic -------------------------------------------------------------------------------

    def _event(self, step: AlignmentStep) -> str:
        """Return the chosen move as a part of a sentence."""
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
        verb = "aligned with" if self.model.measure in SCORED else "substituted by"
        return f"{a} is {verb} {b}"

    def _arithmetic(self, step: AlignmentStep) -> Blocks:
        """Return the candidates of a cell, and its value."""
        i, j = step.cell
        if not step.candidates:
            return self._start(step)[1]
        finite = np.flatnonzero(np.isfinite(step.candidates)).tolist()
        rows, sources = [], []
        for k in finite:
            move, candidate = self.moves[k], step.candidates[k]
            added = self._added(move, i, j)
            name = f"{ARROWS.get(move.name, '↘')} {move.name}"
            rows.append((name, num(candidate - added), num(added), num(candidate)))
            sources.append((i - move.rows, j - move.columns))
        emphasis = [finite.index(step.choice)] if step.choice in finite else []
        head, title = ("move", "from", "adds", "sum"), f"Moves into ({i}, {j})"
        numbers = cell_numbers(sources, len(self.b) + 1)
        values = ["0"] if self.model.measure == "smith-waterman" else []
        values += [num(step.candidates[k]) for k in finite]
        best = f"{'max' if self.maximum else 'min'}({', '.join(values)})"
        return [
            LedgerTable(head, rows, title, emphasis, by="cell", numbers=numbers),
            Formula(f"D({i}, {j}) = {best} = {num(step.value)}"),
        ]

    def _added(self, move: Move, i: int, j: int) -> float:
        return float(np.ravel(move.cost(i + j, i, i + 1))[0])

    def _rows(self, step: AlignmentStep) -> Blocks:
        """Return the alignment as two rows, by its end."""
        first, second = step.alignment or ("", "")
        if not first:
            return []
        title, ellipsis = "Alignment", ""
        if len(first) > MAX_LETTERS:
            title, ellipsis = "Alignment (its end)", "…"
        rows = [
            ("first", ellipsis + first[-MAX_LETTERS:]),
            ("second", ellipsis + second[-MAX_LETTERS:]),
        ]
        return [LedgerTable(("string", "alignment"), rows, title)]

    def _columns(self, step: AlignmentStep) -> Blocks:
        """Return the letters that each move of the alignment pairs."""
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
