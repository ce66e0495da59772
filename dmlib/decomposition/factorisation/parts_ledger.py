"""The arithmetic of a picture of learned parts: error, size, and one number of a patch as a sum."""

from __future__ import annotations

import numpy as np

from dmlib.decomposition.factorisation.algorithm import FactorStep
from dmlib.decomposition.factorisation.picture_parts import LEARNERS, ImageParts, PartsStep, Patches
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.words import changes, count, num4, short, signed

MAX_TERMS = 3  # of a sum
MAX_LINES = 10


class PartsNarrator:
    """Captions and ledgers of a picture of learned parts.

    Parameters
    ----------
    model : ImageParts
        Fitted.
    patches : Patches
        The picture as a table.
    """

    def __init__(self, model: ImageParts, patches: Patches) -> None:
        self.model, self.patches = model, patches
        error = float(((patches.noisy - patches.clean) ** 2).mean())
        self.noisy = -10 * float(np.log10(max(error, 1e-20)))

    def caption_and_ledger(self, step: PartsStep, before: PartsStep) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a step and the one before it."""
        return self._caption(step, before), self._blocks(step)

    def _caption(self, step: PartsStep, before: PartsStep) -> str:
        parts = count(len(step.factors.parts), "part", "parts")
        if step.phase == "start":
            source = "random numbers"
            if self.model.learner == "sparse_coding":
                source = "rows at random"
            patches = count(len(self.patches.table), "patch", "patches")
            return f"{patches}; the first {parts} are {source}: {step.psnr:.1f} dB."
        if step.phase == "done":
            return self._done(step, parts)
        max_parts = count(self.model.n_nonzero_coefs, "part", "parts")
        event = {
            "update": f"Update {step.n} of codes and parts",
            "epoch": f"Epoch {step.n}",
            "code": f"Round {step.n}: each patch takes at most {max_parts}",
            "atoms": f"Round {step.n}: each part turns to the patches that use it",
        }[step.phase]
        return f"{event}: {changes('the PSNR', short(before.psnr), short(step.psnr))} dB."

    def _done(self, step: PartsStep, parts: str) -> str:
        psnr = f"{step.psnr:.1f} dB"
        learned = f"Done: {parts} by {LEARNERS[self.model.learner]}"
        if self.model.noise:
            noise = f"the noise alone is {self.noisy:.1f} dB from it"
            return f"{learned}, {psnr} from the picture without noise; {noise}."
        size = f"{step.numbers:,} numbers for {self.patches.clean.size:,}"
        return f"{learned} at {psnr}, with {size}."

    def _blocks(self, step: PartsStep) -> Blocks:
        patches = self.patches
        error = num4(float(((patches.rebuilt(step) - patches.clean) ** 2).mean()))
        blocks: Blocks = [
            Formula(f"PSNR: 10 log₁₀(1 / {error}) = {num4(step.psnr)} dB"),
            self._size(step),
        ]
        if self.model.noise:
            blocks.append(Formula(f"with the noise alone: {num4(self.noisy)} dB"))
        return [*blocks, self._number(step.factors), self._parts(step.factors)]

    def _size(self, step: PartsStep) -> Formula:
        """Return how many numbers codes and parts need."""
        (n, p), k = self.patches.table.shape, len(step.factors.parts)
        sizes = {
            "sparse_coding": f"2 · {int((step.factors.codes != 0).sum())} + {k} · {p} + {p}",
            "nmf": f"{k} · ({n} + {p})",
            "autoencoder": f"{k} · ({n} + {p}) + {p}",
        }
        cells = self.patches.clean.size
        size = f"{sizes[self.model.learner]} = {step.numbers:,} numbers for {cells:,}"
        return Formula(f"size: {size}: {num4(step.numbers / cells)} of them")

    def _number(self, factors: FactorStep) -> Formula:
        """Return a number of a patch as codes times parts."""
        table = self.patches.table
        i, j = len(table) // 2, table.shape[1] // 2
        codes, weights = factors.codes[i], factors.parts[:, j]
        order = np.argsort(-np.abs(codes * weights), kind="stable")
        used = order[codes[order] != 0]
        terms = [f"{signed(codes[c], 4)} · {signed(weights[c], 4)}" for c in used]
        total = abridged(terms, MAX_TERMS) if terms else "0"
        if factors.offset.any():
            total = f"{num4(factors.offset[j])} + {total}"
        rebuilt, number = num4(factors.rebuilt[i, j]), num4(table[i, j])
        return Formula(f"patch {i + 1}, number {j + 1}: {total} = {rebuilt}; it is {number}")

    def _parts(self, factors: FactorStep) -> LedgerTable:
        """Return how many patches use each part, and how much."""
        uses = (factors.codes != 0).sum(axis=0)
        lengths = np.sqrt((factors.codes**2).sum(axis=0))
        order = np.argsort(-lengths, kind="stable")
        rows = [(c + 1, int(uses[c]), short(lengths[c])) for c in order]
        head = ("part", "patches that use it", "‖code‖")
        return short_table(head, rows, "Parts", max_rows=MAX_LINES, of="parts", by="part")
