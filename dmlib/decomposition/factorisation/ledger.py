"""The arithmetic of a factorisation: one cell, one update, one row."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from dmlib.decomposition.factorisation.algorithm import Factorisation, FactorStep
from dmlib.decomposition.factorisation.autoencoder import Autoencoder
from dmlib.decomposition.factorisation.nmf import NMF
from dmlib.decomposition.factorisation.sparse_coding import SparseCoding
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, few, short_table
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import changes, count, num4, short, signed
from dmlib.problem import BagsProblem, Problem

SOME = 6  # lines of a table
TERMS = 4  # of a sum
TINY = 1e-9  # of the largest term: what is not told


class Teller:
    """Tells what the steps of a factorisation do.

    Parameters
    ----------
    problem : Problem
        The table.
    model : Factorisation
        Fitted.
    selected : int or None
        The row that the reader clicked.
    drawn : collection of int
        The rows whose cells are drawn.
    """

    def __init__(self, problem: Problem, model: Factorisation, selected: int | None, drawn: Collection[int]) -> None:
        self.problem, self.model, self.selected, self.drawn = problem, model, selected, drawn
        self.X = problem.X
        self.row = 0
        self.column = int(np.abs(self.X[0]).argmax())

    def frame(self, pair: tuple[FactorStep, FactorStep]) -> Frame:
        """Return the caption and the ledger of a step and the one before it."""
        step, before = pair
        asked = [] if self.selected is None else self._asked(step, self.selected)
        return Frame(self._caption(step, before), [*self._blocks(step, before), *asked], step.phase)

    def _caption(self, step: FactorStep, before: FactorStep) -> str:
        kept = f"{100 * step.energy:.1f} %"
        k = len(step.parts)
        if step.phase == "start":
            if isinstance(self.model, SparseCoding):
                return f"{count(k, 'row', 'rows')} drawn at random become the first atoms."
            if isinstance(self.model, NMF | Autoencoder):
                return "Codes and parts begin at random."
            return "Without parts every row has the same reconstruction."
        if step.phase == "done":
            numbers = step.codes.size + step.parts.size + int((step.offset != 0).sum())
            if isinstance(self.model, SparseCoding):
                numbers = 2 * int((step.codes != 0).sum()) + step.parts.size + len(step.offset)
            return (
                f"Done: {count(k, 'part keeps', 'parts keep')} {kept} of the energy, "
                f"with {numbers:,} numbers for {self.X.size:,} cells."
                + ("" if step.converged else f" After {step.n} updates it was still falling: more lower it further.")
            )
        error = changes("the mean squared error", short(before.objective), short(step.objective))
        most = getattr(self.model, "n_nonzero_coefs", 0)
        energy = changes("the energy kept", short(100 * before.energy), short(100 * step.energy)) + " %"
        return {
            "component": f"Component {step.n}: {energy}.",
            "update": f"Update {step.n} of codes, then parts: {energy}.",
            "epoch": f"Epoch {step.n}: {error}.",
            "code": f"Round {step.n}: every row is coded by at most {most} atoms; {energy}.",
            "atoms": f"Round {step.n}: every atom is fitted to the residuals of its rows; {energy}.",
        }[step.phase]

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
        offset = [num4(step.offset[j])] if abs(step.offset[j]) > TINY * np.abs(self.X[:, j]).max() else []
        told = few([*offset, *terms], TERMS) or "0"
        return Formula(f"{self._name(i)}: {told} = {num4(step.rebuilt[i, j])}; it is {num4(self.X[i, j])}")

    def _component(self, step: FactorStep) -> Blocks:
        code, part = step.codes[:, -1], step.parts[-1]
        squares, whole = float(code @ code), float((self.X**2).sum())
        i, j = self.row, self.column
        before = float(step.rebuilt[i, j] - code[i] * part[j])
        adds = f"{num4(before)} + {signed(code[i], 4)} · {signed(part[j], 4)}"
        return [
            Formula(f"σ² / Σ x² = {num4(squares)} / {num4(whole)} = {num4(squares / whole)}"),
            Formula(f"{self._name(i)}: {adds} = {num4(step.rebuilt[i, j])}; it is {num4(self.X[i, j])}"),
        ]

    def _update(self, step: FactorStep, before: FactorStep) -> Blocks:
        """Return one code and one weight of a part with the factors that change them."""
        i, j = self.row, self.column
        k = int(before.codes[i].argmax())
        squared = getattr(self.model, "beta_loss", "") == "frobenius"
        x, codes, parts = self.X, before.codes, before.parts
        if squared:
            w = float(x[i] @ parts[k]), float(codes[i] @ (parts @ parts[k]))
            h = float(step.codes[:, k] @ x[:, j]), float((step.codes[:, k] @ step.codes) @ parts[:, j])
        else:
            w = float((x[i] / np.maximum(codes[i] @ parts, 1e-12)) @ parts[k]), float(parts[k].sum())
            said = np.maximum(step.codes @ parts[:, j], 1e-12)
            h = float(step.codes[:, k] @ (x[:, j] / said)), float(step.codes[:, k].sum())
        rule = ("x hᵀ / w H hᵀ", "wᵀ x / wᵀ W h") if squared else ("(x / wH) hᵀ / Σ h", "wᵀ (x / Wh) / Σ w")
        told = [
            (f"code of row {self.problem.rows[i] + 1}, part {k + 1}", codes[i, k], w, step.codes[i, k], rule[0]),
            (f"{self.problem.features[j]} of part {k + 1}", parts[k, j], h, step.parts[k, j], rule[1]),
        ]
        return [
            Formula(f"{name}: {num4(old)} · {num4(above)} / {num4(below)} = {num4(new)} ({words})")
            for name, old, (above, below), new, words in told
        ]

    def _parts(self, step: FactorStep) -> LedgerTable:
        """Return the largest weights of the last component, or of the first part."""
        k = len(step.parts) - 1 if step.phase == "component" else 0
        part = step.parts[k]
        order = np.argsort(-np.abs(part), kind="stable")[:SOME]
        rows = [(self.problem.features[j], short(part[j])) for j in order]
        numbers = k * len(part) + order + 1
        title = f"Part {k + 1}, the largest weights"
        return short_table(("column", "weight"), rows, title, by="weight", numbers=numbers.tolist())

    def _topics(self, step: FactorStep) -> LedgerTable:
        """Return the words that weigh most in each part, and the text that has most of it."""
        rows = []
        for k, part in enumerate(step.parts):
            words = [self.problem.features[j] for j in np.argsort(-part, kind="stable")[:SOME] if part[j] > 0]
            rows.append((k + 1, ", ".join(words), self.problem.names[int(step.codes[:, k].argmax())]))
        return short_table(("part", "heaviest words", "most in"), rows, "Topics", by="part")

    def _codes(self, step: FactorStep, row: int) -> LedgerTable:
        codes = step.codes[row]
        order = np.argsort(-np.abs(codes), kind="stable")[:SOME]
        rows = [(int(k) + 1, short(codes[k])) for k in order if codes[k]]
        return short_table(("part", "code"), rows, f"Row {self.problem.rows[row] + 1}, the largest codes", by="part")

    def _asked(self, step: FactorStep, row: int) -> Blocks:
        rest = self.X[row] - step.rebuilt[row]
        squares = float((self.X[row] ** 2).sum())
        share = 1 - float((rest**2).sum()) / squares if squares > 0 else 1.0
        title = f"Row {self.problem.rows[row] + 1}"
        order = np.argsort(-np.abs(rest), kind="stable")[:SOME]
        rows = [(self.problem.features[j], short(self.X[row, j]), short(step.rebuilt[row, j])) for j in order]
        return [
            Formula(f"{title} keeps {100 * share:.1f} % of its energy"),
            self._cell(step, row),
            short_table(
                ("column", "is", "rebuilt"),
                rows,
                f"{title}: largest reconstruction errors",
                by="cell" if row in self.drawn else "",
                numbers=(row * len(rest) + order + 1).tolist(),
            ),
        ]
