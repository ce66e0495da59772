"""The arithmetic of a factorisation: one cell, one update, one row."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from dmlib.decomposition.factorisation.algorithm import Factorisation, FactorStep
from dmlib.decomposition.factorisation.autoencoder import Autoencoder
from dmlib.decomposition.factorisation.nmf import NMF
from dmlib.decomposition.factorisation.sparse_coding import SparseCoding
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.words import changes, count, num4, percent, short, signed
from dmlib.problem import BagsProblem, Problem

MAX_LINES = 6  # of a table
MAX_TERMS = 4  # of a sum
TINY = 1e-9  # share of the largest term below which one is not written out


class Narrator:
    """Captions and ledgers of a factorisation.

    Parameters
    ----------
    problem : Problem
        The table.
    model : Factorisation
        Fitted.
    selected : int or None
        The row that the reader clicked.
    visible_rows : collection of int
        The rows whose cells are drawn.
    """

    def __init__(
        self,
        problem: Problem,
        model: Factorisation,
        selected: int | None,
        visible_rows: Collection[int],
    ) -> None:
        self.problem, self.model = problem, model
        self.selected, self.visible_rows = selected, visible_rows
        self.X = problem.X
        self.row = 0
        self.column = int(np.abs(self.X[0]).argmax())

    def caption_and_ledger(self, step: FactorStep, before: FactorStep) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a step and the one before it."""
        blocks = self._blocks(step, before)
        if self.selected is not None:
            blocks = [*blocks, *self._selected_row(step, self.selected)]
        return self._caption(step, before), blocks

    def _caption(self, step: FactorStep, before: FactorStep) -> str:
        if step.phase == "start":
            return self._start(step)
        if step.phase == "done":
            return self._done(step)
        error = changes("the mean squared error", short(before.objective), short(step.objective))
        old, new = short(100 * before.energy), short(100 * step.energy)
        energy = changes("the energy kept", old, new) + " %"
        max_atoms = self.model.n_nonzero_coefs if isinstance(self.model, SparseCoding) else 0
        fitted = "every atom is fitted to the residuals of its rows"
        return {
            "component": f"Component {step.n}: {energy}.",
            "update": f"Update {step.n} of codes, then parts: {energy}.",
            "epoch": f"Epoch {step.n}: {error}.",
            "code": f"Round {step.n}: every row is coded by at most {max_atoms} atoms; {energy}.",
            "atoms": f"Round {step.n}: {fitted}; {energy}.",
        }[step.phase]

    def _start(self, step: FactorStep) -> str:
        if isinstance(self.model, SparseCoding):
            rows = count(len(step.parts), "row", "rows")
            return f"{rows} drawn at random become the first atoms."
        if isinstance(self.model, NMF | Autoencoder):
            return "Codes and parts begin at random."
        return "Without parts every row has the same reconstruction."

    def _done(self, step: FactorStep) -> str:
        numbers = step.codes.size + step.parts.size + int((step.offset != 0).sum())
        if isinstance(self.model, SparseCoding):
            numbers = 2 * int((step.codes != 0).sum()) + step.parts.size + len(step.offset)
        parts = count(len(step.parts), "part keeps", "parts keep")
        size = f"{numbers:,} numbers for {self.X.size:,} cells"
        caption = f"Done: {parts} {percent(step.energy)} of the energy, with {size}."
        if step.converged:
            return caption
        return f"{caption} After {step.n} updates it was still falling: more lower it further."

    def _blocks(self, step: FactorStep, before: FactorStep) -> Blocks:
        if step.phase == "component":
            return [*self._component(step), self._parts(step)]
        if step.phase == "update":
            return [*self._update(step, before), self._codes(step, self.row)]
        if step.phase in ("code", "atoms", "epoch"):
            return [self._cell(step), self._codes(step, self.row)]
        if not len(step.parts):
            return [self._cell(step)]
        if isinstance(self.problem, BagsProblem):
            return [self._topics(step), self._cell(step)]
        return [self._cell(step), self._parts(step)]

    def _name(self, row: int) -> str:
        return f"row {self.problem.rows[row] + 1}, {self.problem.features[self.column]}"

    def _cell(self, step: FactorStep, row: int | None = None) -> Formula:
        """Return a cell as codes times parts."""
        i, j = self.row if row is None else row, self.column
        sizes = np.abs(step.codes[i] * step.parts[:, j])
        order = [k for k in np.argsort(-sizes, kind="stable") if sizes[k] > TINY * sizes.max()]
        terms = [f"{signed(step.codes[i, k], 4)} · {signed(step.parts[k, j], 4)}" for k in order]
        # the mean of a centred column is 0 but for rounding
        if abs(step.offset[j]) > TINY * np.abs(self.X[:, j]).max():
            terms.insert(0, num4(step.offset[j]))
        return self._comparison(step, i, abridged(terms, MAX_TERMS) or "0")

    def _comparison(self, step: FactorStep, row: int, terms: str) -> Formula:
        """Return a sum with its result, and the cell that it stands for."""
        rebuilt, cell = num4(step.rebuilt[row, self.column]), num4(self.X[row, self.column])
        return Formula(f"{self._name(row)}: {terms} = {rebuilt}; it is {cell}")

    def _component(self, step: FactorStep) -> Blocks:
        code, part = step.codes[:, -1], step.parts[-1]
        squares, total = float(code @ code), float((self.X**2).sum())
        i, j = self.row, self.column
        before = num4(float(step.rebuilt[i, j] - code[i] * part[j]))
        terms = f"{before} + {signed(code[i], 4)} · {signed(part[j], 4)}"
        share = f"{num4(squares)} / {num4(total)} = {num4(squares / total)}"
        return [Formula(f"σ² / Σ x² = {share}"), self._comparison(step, i, terms)]

    def _update(self, step: FactorStep, before: FactorStep) -> Blocks:
        """Return one code and one weight of a part with the factors that change them."""
        i, j = self.row, self.column
        k = int(before.codes[i].argmax())
        x, codes, parts = self.X, before.codes, before.parts
        weights = step.codes[:, k]
        if isinstance(self.model, NMF) and self.model.beta_loss == "frobenius":
            code_factor = x[i] @ parts[k], codes[i] @ (parts @ parts[k])
            part_factor = weights @ x[:, j], (weights @ step.codes) @ parts[:, j]
            rules = ("x hᵀ / w H hᵀ", "wᵀ x / wᵀ W h")
        else:
            row = np.maximum(codes[i] @ parts, 1e-12)
            column = np.maximum(step.codes @ parts[:, j], 1e-12)
            code_factor = (x[i] / row) @ parts[k], parts[k].sum()
            part_factor = weights @ (x[:, j] / column), weights.sum()
            rules = ("(x / wH) hᵀ / Σ h", "wᵀ (x / Wh) / Σ w")
        names = (
            f"code of row {self.problem.rows[i] + 1}, part {k + 1}",
            f"{self.problem.features[j]} of part {k + 1}",
        )
        return [
            _product(names[0], codes[i, k], code_factor, step.codes[i, k], rules[0]),
            _product(names[1], parts[k, j], part_factor, step.parts[k, j], rules[1]),
        ]

    def _parts(self, step: FactorStep) -> LedgerTable:
        """Return the largest weights of the last component, or of the first part."""
        k = len(step.parts) - 1 if step.phase == "component" else 0
        part = step.parts[k]
        order = np.argsort(-np.abs(part), kind="stable")[:MAX_LINES]
        rows = [(self.problem.features[j], short(part[j])) for j in order]
        numbers = k * len(part) + order + 1
        title = f"Part {k + 1}, the largest weights"
        return short_table(("column", "weight"), rows, title, by="weight", numbers=numbers.tolist())

    def _topics(self, step: FactorStep) -> LedgerTable:
        """Return the words that weigh most in each part, and the text that has most of it."""
        rows = []
        for k, part in enumerate(step.parts):
            heaviest = np.argsort(-part, kind="stable")[:MAX_LINES]
            words = [self.problem.features[j] for j in heaviest if part[j] > 0]
            text = self.problem.names[int(step.codes[:, k].argmax())]
            rows.append((k + 1, ", ".join(words), text))
        return short_table(("part", "heaviest words", "most in"), rows, "Topics", by="part")

    def _codes(self, step: FactorStep, row: int) -> LedgerTable:
        codes = step.codes[row]
        order = np.argsort(-np.abs(codes), kind="stable")[:MAX_LINES]
        rows = [(int(k) + 1, short(codes[k])) for k in order if codes[k]]
        title = f"Row {self.problem.rows[row] + 1}, the largest codes"
        return short_table(("part", "code"), rows, title, by="part")

    def _selected_row(self, step: FactorStep, row: int) -> Blocks:
        """Return the energy of the selected row, and its largest reconstruction errors."""
        x, rebuilt = self.X[row], step.rebuilt[row]
        errors, squares = x - rebuilt, float((x**2).sum())
        share = 1 - float((errors**2).sum()) / squares if squares > 0 else 1.0
        order = np.argsort(-np.abs(errors), kind="stable")[:MAX_LINES]
        rows = [(self.problem.features[j], short(x[j]), short(rebuilt[j])) for j in order]
        name = f"Row {self.problem.rows[row] + 1}"
        return [
            Formula(f"{name} keeps {percent(share)} of its energy"),
            self._cell(step, row),
            short_table(
                ("column", "is", "rebuilt"),
                rows,
                f"{name}: largest reconstruction errors",
                by="cell" if row in self.visible_rows else "",
                numbers=(row * len(errors) + order + 1).tolist(),
            ),
        ]


def _product(name: str, old: float, factor: tuple[Any, Any], new: float, rule: str) -> Formula:
    """Return a number, the quotient that changes it, and the result."""
    above, below = map(num4, factor)
    return Formula(f"{name}: {num4(old)} · {above} / {below} = {num4(new)} ({rule})")
