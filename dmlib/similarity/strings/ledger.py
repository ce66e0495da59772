"""What a step of an alignment says: its sentence and its arithmetic."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, short_table
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import count, num, num4, signed
from dmlib.problem.texts import shortened
from dmlib.similarity.recurrence import Move
from dmlib.similarity.strings.alignment import GAP, AlignmentStep, columns, pair_of
from dmlib.similarity.strings.edits import SCORED
from dmlib.similarity.table_scene import cell_numbers

ARROWS = {"delete": "↓", "insert": "→", "transpose": "↘↘"}
WIDEST = 44  # letters of a string in a line
VERBS = {"levenshtein": "edit", "damerau": "edit", "hamming": "substitution"}


class AlignmentTeller:
    """Says what a step of an alignment does."""

    def __init__(self, run: Run, moves: tuple[Move, ...]) -> None:
        self.model, self.moves = run.model, moves
        self.a, self.b = pair_of(run.problem.texts, run.model.first, run.model.second)
        self.by_cell = len(run.trace.steps) > 1 and run.trace.steps[1].n_filled == 2
        self.maximum = self.model.measure in (*SCORED, "lcs")
        self.value_of = "score" if self.model.measure in SCORED else "length" if self.maximum else "distance"

    def frame(self, step: AlignmentStep) -> Frame:
        """Return the frame of a step."""
        tell = {"start": self._start, "cell": self._cell, "trace": self._trace, "done": self._done}[step.phase]
        caption, ledger = tell(step)
        return Frame(caption, ledger, step.phase)

    # --- phases -------------------------------------------------------------------------------------------------------

    def _start(self, step: AlignmentStep) -> tuple[str, Blocks]:
        return "Two empty strings are equal: the first cell is 0.", [Formula("D(0, 0) = 0")]

    def _cell(self, step: AlignmentStep) -> tuple[str, Blocks]:
        i, j = step.cell
        value = num4(step.value)
        if not self.by_cell:
            caption = f"Row {i} is filled; its best cell is ({i}, {j}) with the {self.value_of} {value}."
        elif step.choice < 0:
            caption = f"Cell ({i}, {j}): no move leads above 0, and an alignment may start here."
        else:
            caption = f"Cell ({i}, {j}): {self._does(step)}, and the {self.value_of} is {value}."
        return caption, self._arithmetic(step)

    def _trace(self, step: AlignmentStep) -> tuple[str, Blocks]:
        i, j = step.cell
        if len(step.path) == 1:
            where = "the largest value" if self.model.measure == "smith-waterman" else "the last cell"
            caption = f"The alignment ends in ({i}, {j}), {where}: the {self.value_of} is {num4(step.value)}."
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
        said = f"The {self.value_of} is {value}" if verb is None else count(int(step.value), verb, f"{verb}s")
        does = "" if verb is None else f" {'turns' if step.value == 1 else 'turn'} one string into the other"
        equal = f"{count(n, 'letter is', 'letters are')} equal"
        caption = f"Done. {said}{does}; {equal} in the {len(kinds)} columns."
        parts = f"{len(kinds)} columns: {n} equal, {different} different, {n_gaps} with a gap"
        lines = [f"{self.value_of} = {num(step.value)}", parts]
        if self.model.measure in SCORED:
            m = self.model
            terms = f"{n} · {signed(m.match)} + {different} · {signed(m.mismatch)} + {n_gaps} · {signed(m.gap)}"
            lines.insert(1, f"{terms} = {num(step.value)}")
        return caption, [*map(Formula, lines), *self._rows(step), *self._columns(step)]

    # --- arithmetic ---------------------------------------------------------------------------------------------------

    def _does(self, step: AlignmentStep) -> str:
        """Say what the chosen move does."""
        i, j = step.cell
        move = self.moves[step.choice]
        a, b = (shortened(text[k - 1 : k], 3) or "␣" for text, k in ((self.a, i), (self.b, j)))
        if move.name == "delete":
            return f"{a} is deleted"
        if move.name == "insert":
            return f"{b} is inserted"
        if move.name == "transpose":
            return f"{self.a[i - 2 : i]} is transposed to {self.b[j - 2 : j]}"
        if self.a[i - 1] == self.b[j - 1]:
            return f"{a} meets {b}"
        return f"{a} is aligned with {b}" if self.model.measure in SCORED else f"{a} is substituted by {b}"

    def _arithmetic(self, step: AlignmentStep) -> Blocks:
        """Write out the candidates of a cell."""
        i, j = step.cell
        if not step.candidates:
            return self._start(step)[1]
        rows, possible, sources = [], [], []
        for move, candidate in zip(self.moves, step.candidates, strict=True):
            if np.isfinite(candidate):
                before = candidate - self._added(move, i, j)
                rows.append(
                    (f"{ARROWS.get(move.name, '↘')} {move.name}", num(before), num(candidate - before), num(candidate))
                )
                possible.append(num(candidate))
                sources.append((i - move.rows, j - move.columns))
        taken = [k for k, move in enumerate(self.moves) if np.isfinite(step.candidates[k])]
        emphasis = [taken.index(step.choice)] if step.choice in taken else []
        best = "max" if self.maximum else "min"
        floor = ["0"] if self.model.measure == "smith-waterman" else []
        head, title = ("move", "from", "adds", "sum"), f"Moves into ({i}, {j})"
        return [
            LedgerTable(head, rows, title, emphasis, by="cell", numbers=cell_numbers(sources, len(self.b) + 1)),
            Formula(f"D({i}, {j}) = {best}({', '.join([*floor, *possible])}) = {num(step.value)}"),
        ]

    def _added(self, move: Move, i: int, j: int) -> float:
        return float(np.ravel(move.cost(i + j, i, i + 1))[0])

    def _rows(self, step: AlignmentStep) -> Blocks:
        """Return the alignment as two rows, by its end."""
        one, other = step.alignment or ("", "")
        if not one:
            return []
        cut = "…" if len(one) > WIDEST else ""
        rows = [("first", cut + one[-WIDEST:]), ("second", cut + other[-WIDEST:])]
        return [LedgerTable(("string", "alignment"), rows, "Alignment" + (" (its end)" if cut else ""))]

    def _columns(self, step: AlignmentStep) -> Blocks:
        """Return what each move of the alignment sets side by side."""
        cells, rows = step.path.tolist(), []
        for (i, j), (k, m) in pairwise(cells):
            one, other = self.a[i:k], self.b[j:m]
            kind = "transposed" if k - i > 1 else columns(self.a, self.b, [(i, j), (k, m)])[0]
            letters = [(shortened(text, 3) or "␣") if text else GAP for text in (one, other)]
            rows.append((f"({k}, {m})", *letters, kind))
        numbers = cell_numbers(cells[1:], len(self.b) + 1) if rows else []
        head, title = ("cell", "first", "second", "letters"), "Moves of the alignment"
        return [short_table(head, rows, title, of="moves", by="cell", numbers=numbers)] if rows else []
