"""The arithmetic of a picture of few terms: energy, error and size, and one pixel as a sum."""

from __future__ import annotations

import numpy as np

from dmlib.decomposition.factorisation.picture import ImageSVD, PictureStep, Taken
from dmlib.pictures.ledger import Blocks, Formula, few, short_table
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import count, num, num4, short, signed

TERMS = 3  # of a sum
LINES = 10


class PictureTeller:
    """Tells what the terms do.

    Parameters
    ----------
    model : ImageSVD
        Fitted.
    taken : Taken
        The picture with its terms.
    curve : ndarray
        The PSNR of 0, 1, ... terms.
    """

    def __init__(self, model: ImageSVD, taken: Taken, curve: np.ndarray[tuple[int], np.dtype[np.float64]]) -> None:
        self.model, self.taken, self.curve = model, taken, curve

    def frame(self, step: PictureStep) -> Frame:
        """Return the caption and the ledger of a step."""
        return Frame(self._caption(step), self._blocks(step), step.phase)

    def _caption(self, step: PictureStep) -> str:
        kept, near = f"{100 * step.energy:.2f} %", f"{step.psnr:.1f} dB"
        if step.phase == "start":
            noise = f", after noise of {num(self.model.noise)} was added," if self.model.noise else ""
            return f"Without a term the picture{noise} is black: {near}."
        if step.phase == "component":
            return f"Term {step.n}: {kept} of the energy, {near}."
        cells = self.taken.clean.size
        size = f"{step.numbers:,} numbers for {cells:,}"
        if self.model.noise:
            terms = count(step.n, "term", "terms")
            return f"Done: {terms} at {near} against the picture without noise, best with {self.model.best_}."
        return f"Done: {count(step.n, 'term keeps', 'terms keep')} {kept} of the energy at {near}, with {size}."

    def _blocks(self, step: PictureStep) -> Blocks:
        taken, k = self.taken, step.n
        rows, columns = len(taken.left), taken.right.shape[1]
        squares = float((taken.sizes**2).sum())
        error = float(((taken.rebuilt(k) - taken.clean) ** 2).mean())
        blocks: Blocks = [
            Formula(f"energy: {num4((taken.sizes[:k] ** 2).sum())} / {num4(squares)} = {num(step.energy)}"),
            Formula(f"PSNR: 10 log₁₀(1 / {num4(error)}) = {num4(step.psnr)} dB"),
            Formula(
                f"size: {k} · ({rows} + {columns}) = {k * (rows + columns):,} numbers for {taken.clean.size:,}: "
                f"{num4(k * (rows + columns) / taken.clean.size)} of them"
            ),
        ]
        if self.model.noise:
            before = float(((taken.noisy - taken.clean) ** 2).mean())
            blocks.append(Formula(f"with the noise alone: {num4(-10 * float(np.log10(before)))} dB"))
        if k:
            blocks.append(self._cell(k))
        lines = range(max(0, k - LINES + 1), k + 1) if k else range(1)
        table = [(n, short(taken.sizes[n - 1]) if n else None, short(self.curve[n])) for n in lines]
        head = ("terms", "σ", "dB, not cut")
        return [*blocks, short_table(head, table, "The last terms", [len(table) - 1], by="terms")]

    def _cell(self, k: int) -> Formula:
        """Return the largest number of the first row of the table as a sum."""
        taken = self.taken
        i = len(taken.left) // 2
        j = int(np.abs(taken.right[0]).argmax())
        terms = [f"{signed(taken.left[i, n], 4)} · {signed(taken.right[n, j], 4)}" for n in range(k)]
        name = f"row {i + 1}, column {j + 1}" if taken.patch == 1 else f"patch {i + 1}, number {j + 1}"
        made = float(taken.left[i, :k] @ taken.right[:k, j])
        whole = float(taken.left[i] @ taken.right[:, j])
        return Formula(f"{name}: {few(terms, TERMS)} = {num4(made)}; it is {num4(whole)}")
