"""The arithmetic of a picture of learned parts: error, size, and one number of a patch as a sum."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.decomposition.factorisation.picture_parts import LEARNERS, ImageParts, PartsStep, Patches
from dmlib.pictures.ledger import Blocks, Formula, few, short_table
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import changes, count, num4, short, signed

TERMS, LINES = 3, 10


class PartsTeller:
    """Tells what the parts make.

    Parameters
    ----------
    model : ImageParts
        Fitted.
    patches : Patches
        The picture as a table.
    steps : sequence of PartsStep
        All of the run.
    """

    def __init__(self, model: ImageParts, patches: Patches, steps: Sequence[PartsStep]) -> None:
        self.model, self.patches = model, patches
        self.best = max(steps, key=lambda step: step.psnr)
        self.noisy = -10 * float(np.log10(max(float(((patches.noisy - patches.clean) ** 2).mean()), 1e-20)))

    def frame(self, pair: tuple[PartsStep, PartsStep]) -> Frame:
        """Return the caption and the ledger of a step."""
        step, before = pair
        return Frame(self._caption(step, before), self._blocks(step), step.phase)

    def _caption(self, step: PartsStep, before: PartsStep) -> str:
        k, near = len(step.made.parts), f"{step.psnr:.1f} dB"
        parts = count(k, "part", "parts")
        if step.phase == "start":
            first = "rows at random" if self.model.learner == "sparse_coding" else "random numbers"
            return f"{count(len(self.patches.table), 'patch', 'patches')}; the first {parts} are {first}: {near}."
        if step.phase == "done":
            name = LEARNERS[self.model.learner]
            if self.model.noise:
                alone = f"the noise alone is {self.noisy:.1f} dB from it"
                return f"Done: {parts} by {name}, {near} from the picture without noise; {alone}."
            cells = self.patches.clean.size
            return f"Done: {parts} by {name} at {near}, with {step.numbers:,} numbers for {cells:,}."
        what = {
            "update": f"Update {step.n} of codes and parts",
            "epoch": f"Epoch {step.n}",
            "code": f"Round {step.n}: each patch takes at most {count(self.model.n_nonzero_coefs, 'part', 'parts')}",
            "atoms": f"Round {step.n}: each part turns to the patches that use it",
        }[step.phase]
        return f"{what}: {changes('the PSNR', short(before.psnr), short(step.psnr))} dB."

    def _blocks(self, step: PartsStep) -> Blocks:
        patches, made = self.patches, step.made
        error = float(((patches.shown(step) - patches.clean) ** 2).mean())
        n, p, k = *patches.table.shape, len(made.parts)
        sizes = {
            "sparse_coding": f"2 · {int((made.codes != 0).sum())} + {k} · {p} + {p}",
            "nmf": f"{k} · ({n} + {p})",
            "autoencoder": f"{k} · ({n} + {p}) + {p}",
        }
        cells = patches.clean.size
        share = num4(step.numbers / cells)
        blocks: Blocks = [
            Formula(f"PSNR: 10 log₁₀(1 / {num4(error)}) = {num4(step.psnr)} dB"),
            Formula(f"size: {sizes[self.model.learner]} = {step.numbers:,} numbers for {cells:,}: {share} of them"),
        ]
        if self.model.noise:
            blocks.append(Formula(f"with the noise alone: {num4(self.noisy)} dB"))
        i, j = len(patches.table) // 2, p // 2
        order = np.argsort(-np.abs(made.codes[i] * made.parts[:, j]), kind="stable")
        used = order[made.codes[i, order] != 0]
        terms = [f"{signed(made.codes[i, c], 4)} · {signed(made.parts[c, j], 4)}" for c in used]
        offset = f"{num4(made.offset[j])} + " if made.offset.any() else ""
        whole, told = num4(patches.table[i, j]), num4(made.rebuilt[i, j])
        sums = few(terms, TERMS) if terms else "0"
        blocks.append(Formula(f"patch {i + 1}, number {j + 1}: {offset}{sums} = {told}; it is {whole}"))
        uses = (made.codes != 0).sum(axis=0)
        lengths = np.sqrt((made.codes**2).sum(axis=0))
        rows = [(c + 1, int(uses[c]), short(lengths[c])) for c in np.argsort(-lengths, kind="stable")]
        head = ("part", "patches that use it", "‖code‖")
        return [*blocks, short_table(head, rows, "Parts", most=LINES, of="parts", by="part")]
