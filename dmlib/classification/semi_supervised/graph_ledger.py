"""Label propagation and spreading in words and numbers: what a row takes from its neighbours."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.classification.semi_supervised.canvas_scene import Canvas
from dmlib.classification.semi_supervised.graph_classifier import GraphClassifier, SpreadingStep
from dmlib.classification.semi_supervised.spreading import LabelSpreading
from dmlib.classification.semi_supervised.start_ledger import (
    error_formula,
    error_phrase,
    error_sentence,
    held_out_row,
    start_caption,
    start_table,
)
from dmlib.pictures.ledger import Blocks, Formula, abridged, class_table, numbered_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, short
from dmlib.problem import Problem

MAX_TERMS = 4  # of a sum
MAX_NEIGHBORS = 12  # lines of a table


class GraphNarrator:
    """Captions and ledgers of label propagation and label spreading.

    Parameters
    ----------
    run : Run
        The run.
    canvas : Canvas
        It knows the labels of the start and the selected row.
    """

    def __init__(self, run: Run[Problem, GraphClassifier], canvas: Canvas) -> None:
        self.model, self.canvas = run.model, canvas
        self.rows = run.problem.training.rows + 1
        self.weights = run.model.weights(run.problem.training.X)
        self.matrix = run.model.transitions(self.weights)
        self.classes = canvas.classes

    def explained(self, step: SpreadingStep) -> list[int]:
        """Return the selected row, and that without a label that changed most."""
        change = np.where(self.canvas.start.is_labeled, 0.0, step.change)
        is_moving = step.phase == "spread" and change.any()
        most_changed = [int(change.argmax())] if is_moving else []
        return list(dict.fromkeys([*self.canvas.selected, *most_changed]))

    def neighbors(self, row: int) -> tuple[Ints, Floats]:
        """Return the neighbours of a row, and what it takes of each."""
        part = slice(self.matrix.indptr[row], self.matrix.indptr[row + 1])
        return self.matrix.indices[part].astype(np.intp), self.matrix.data[part]

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: SpreadingStep = moment.step
        narrate = {"start": self._start, "spread": self._spread, "done": self._done}
        caption, blocks = narrate[step.phase](step)
        rows = self.explained(step)
        shares = [block for row in rows for block in self._shares(row, step, moment.before)]
        return caption, [*held_out_row(self.canvas, step), *shares, *blocks]

    # --- the phases -------------------------------------------------------------------------------

    def _start(self, step: SpreadingStep) -> tuple[str, Blocks]:
        edges = count(self.weights.nnz // 2, "edge", "edges")
        caption = f"{start_caption(self.canvas)}; {edges} join similar rows."
        rule = "w = 1 if one of both rows is a near neighbour of the other, else 0"
        if self.model.kernel == "rbf":
            rule = f"w = exp(−{num(self.model.gamma, 4)} · d²)"
        return caption, [Formula(rule), start_table(self.canvas)]

    def _spread(self, step: SpreadingStep) -> tuple[str, Blocks]:
        reached = int(step.mass.any(axis=1).sum())
        arrived = "all rows" if reached == len(step.mass) else f"{reached} of {len(step.mass)} rows"
        caption = (
            f"Iteration {step.iteration}: labels have come to {arrived}{error_phrase(step.error)}."
        )
        change = f"sum of all changes = {num4(step.change.sum())}; tolerance {num(self.model.tol)}"
        return caption, [Formula(change), *error_formula(step.error)]

    def _done(self, step: SpreadingStep) -> tuple[str, Blocks]:
        caption = f"Done. {step.reason}{error_sentence(step.error)}"
        unreached = int((~step.mass.any(axis=1)).sum())
        if unreached:
            caption += f" No label reaches {unreached} of them."
        is_labeled = self.canvas.start.is_labeled
        of_known, of_others = (step.answers[mask] for mask in (is_labeled, ~is_labeled))
        rows = [
            (name, int((of_known == code).sum()), int((of_others == code).sum()))
            for code, name in enumerate(self.classes)
        ]
        head = ("class", "of known", "of others")
        return caption, [class_table(head, rows, "Classes in the end"), *error_formula(step.error)]

    # --- one row ----------------------------------------------------------------------------------

    def _shares(self, row: int, step: SpreadingStep, before: SpreadingStep) -> Blocks:
        """Return what a row takes from its neighbours, written out for its strongest class."""
        name = f"row {self.rows[row]}"
        is_known = bool(self.canvas.start.is_labeled[row])
        is_fixed = is_known and not isinstance(self.model, LabelSpreading)
        if step.phase != "spread" or is_fixed:
            return [self._distribution(row, step, "fixed" if is_fixed else "")]
        best = int(step.mass[row].argmax())
        neighbors, parts = self.neighbors(row)
        products = parts * before.mass[neighbors, best]
        order = np.argsort(-products, kind="stable")
        terms = [f"{num4(parts[j])}·{num4(before.mass[neighbors[j], best])}" for j in order]
        products_sum = abridged(terms, MAX_TERMS) or "0"
        label = self.classes[best]
        formula = f"F({label} | {name}) = {products_sum} = {num4(products.sum())}"
        if isinstance(self.model, LabelSpreading):
            alpha, own = self.model.alpha, float(is_known and step.mass[row, best] > 0)
            own *= float(self.canvas.start.codes[row] == best)
            formula = (
                f"F({label} | {name}) = {num(alpha)}·({products_sum})"
                f" + {num4(1 - alpha)}·{num(own)}"
                f" = {num4(step.mass[row, best])}"
            )
        rows = [
            (
                int(self.rows[neighbors[j]]),
                short(parts[j]),
                short(before.mass[neighbors[j], best]),
                short(products[j]),
            )
            for j in order
        ]
        symbol = "S" if isinstance(self.model, LabelSpreading) else "T"
        head = ("row", symbol, f"F({label})", "product")
        table = numbered_table(head, rows, f"Neighbours of {name}", max_rows=MAX_NEIGHBORS)
        return [Formula(formula), table, self._distribution(row, step)]

    def _distribution(self, row: int, step: SpreadingStep, note: str = "") -> Formula:
        shares = step.label_distributions[row]
        if not shares.any():
            return Formula(f"row {self.rows[row]}: no label has come to it")
        parts = [f"{label} {num4(p)}" for label, p in zip(self.classes, shares, strict=True)]
        suffix = f" ({note})" if note else ""
        return Formula(f"row {self.rows[row]}: {abridged(parts, MAX_TERMS, ', ')}{suffix}")
