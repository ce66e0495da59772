"""The arithmetic of a picture of few terms: energy, error and size, and one pixel as a sum."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.decomposition.factorisation.picture import Decomposition, ImageSVD, TermStep
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.words import count, num, num4, percent, short, signed

MAX_TERMS = 3  # of a sum
MAX_LINES = 10


class PictureNarrator:
    """Captions and ledgers of a picture of few terms.

    Parameters
    ----------
    model : ImageSVD
        Fitted.
    decomposition : Decomposition
        The picture with its terms.
    curve : ndarray
        The PSNR of 0, 1, ... terms.
    """

    def __init__(self, model: ImageSVD, decomposition: Decomposition, curve: Floats) -> None:
        self.model, self.decomposition, self.curve = model, decomposition, curve

    def caption_and_ledger(self, step: TermStep) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a step."""
        return self._caption(step), self._blocks(step)

    def _caption(self, step: TermStep) -> str:
        energy, psnr = percent(step.energy), f"{step.psnr:.1f} dB"
        if step.phase == "start":
            noise = ""
            if self.model.noise:
                noise = f", after noise of {num(self.model.noise)} was added,"
            return f"Without a term the picture{noise} is black: {psnr}."
        if step.phase == "component":
            return f"Term {step.n}: {energy} of the energy, {psnr}."
        if self.model.noise:
            terms = count(step.n, "term", "terms")
            clean = "against the picture without noise"
            return f"Done: {terms} at {psnr} {clean}, best with {self.model.best_}."
        terms = count(step.n, "term keeps", "terms keep")
        size = f"{step.numbers:,} numbers for {self.decomposition.clean.size:,}"
        return f"Done: {terms} {energy} of the energy at {psnr}, with {size}."

    def _blocks(self, step: TermStep) -> Blocks:
        decomposition, k = self.decomposition, step.n
        squares = decomposition.sizes**2
        energy = f"{num4(squares[:k].sum())} / {num4(float(squares.sum()))} = {num(step.energy)}"
        error = num4(float(((decomposition.rebuilt(k) - decomposition.clean) ** 2).mean()))
        blocks: Blocks = [
            Formula(f"energy: {energy}"),
            Formula(f"PSNR: 10 log₁₀(1 / {error}) = {num4(step.psnr)} dB"),
            self._size(k),
        ]
        if self.model.noise:
            noise = float(((decomposition.noisy - decomposition.clean) ** 2).mean())
            psnr = -10 * float(np.log10(noise))
            blocks.append(Formula(f"with the noise alone: {num4(psnr)} dB"))
        if k:
            blocks.append(self._cell(k))
        return [*blocks, self._last_terms(k)]

    def _size(self, k: int) -> Formula:
        """Return how many numbers the terms need."""
        n_rows, n_columns = len(self.decomposition.codes), self.decomposition.terms.shape[1]
        n, cells = k * (n_rows + n_columns), self.decomposition.clean.size
        size = f"{k} · ({n_rows} + {n_columns}) = {n:,} numbers for {cells:,}"
        return Formula(f"size: {size}: {num4(n / cells)} of them")

    def _last_terms(self, k: int) -> LedgerTable:
        rows: list[tuple[Any, ...]] = [(0, None, short(self.curve[0]))]
        for n in range(1, k + 1):
            rows.append((n, short(self.decomposition.sizes[n - 1]), short(self.curve[n])))
        rows = rows[-MAX_LINES:]
        head = ("terms", "σ", "dB, not cut")
        return short_table(head, rows, "The last terms", [len(rows) - 1], by="terms")

    def _cell(self, k: int) -> Formula:
        """Return the largest number of the first row of the table as a sum."""
        codes, parts = self.decomposition.codes, self.decomposition.terms
        i, j = len(codes) // 2, int(np.abs(parts[0]).argmax())
        terms = [f"{signed(codes[i, n], 4)} · {signed(parts[n, j], 4)}" for n in range(k)]
        name = f"patch {i + 1}, number {j + 1}"
        if self.decomposition.patch == 1:
            name = f"row {i + 1}, column {j + 1}"
        rebuilt = num4(float(codes[i, :k] @ parts[:k, j]))
        cell = num4(float(codes[i] @ parts[:, j]))
        return Formula(f"{name}: {abridged(terms, MAX_TERMS)} = {rebuilt}; it is {cell}")
