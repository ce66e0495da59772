"""A string kernel in words and numbers: counts, shared parts, and the most similar strings."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.motion import nth
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, short
from dmlib.problem import TextsProblem
from dmlib.problem.texts import shortened
from dmlib.similarity.strings.counts_ledger import Counts
from dmlib.similarity.strings.string_kernel import StringKernelStep

MAX_TERMS = 6
MAX_LINES = 12  # of a table
NAME = 20  # characters of a name
PART = 10  # characters of a part
WINDOW = 34  # characters of what the window shows


class Narrator:
    """Captions and ledgers of a string kernel.

    Parameters
    ----------
    run : Run
        The run.
    counts : Counts
        The counts of the two strings.
    """

    def __init__(self, run: Run[TextsProblem, Any], counts: Counts) -> None:
        self.run, self.model, self.counts = run, run.model, counts
        self.names = [
            shortened(run.problem.names[k - 1], NAME) for k in (run.model.first, run.model.second)
        ]
        self.value = run.trace.steps[-1].value

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: StringKernelStep = moment.step
        phases = {
            "slide": self._slide,
            "product": self._product,
            "matrix": self._matrix,
            "done": self._done,
        }
        return phases[step.phase](step)

    def _slide(self, step: StringKernelStep) -> tuple[str, Blocks]:
        name, window = self.names[step.side], shortened(step.window.replace(" ", "␣"), WINDOW)
        so_far = self.counts.after(step)[step.side]
        event = f"adds 1 to {len(step.parts)} parts"
        if len(step.parts) == 1:
            event = f"is counted for the {nth(so_far[step.parts[0]])} time"
        caption = f"Place {step.place + 1} of {name}: {window} {event}."
        parts = abridged([shortened(part, PART) for part in step.parts], MAX_TERMS, ", ")
        table = self._table(so_far, f"Counts of {name} so far")
        return caption, [Formula(f"added: {parts}"), table]

    def _table(self, so_far: Counter[str], title: str) -> LedgerTable:
        counts = so_far.most_common()
        rows = [(part_name(part), times) for part, times in counts]
        return short_table(("part", "count"), rows, title, **self._parts([p for p, _ in counts]))

    def _parts(self, parts: list[str]) -> dict[str, Any]:
        """Return the attributes of a table with a line for each of these parts."""
        numbers = [self.counts.numbers.get(part) for part in parts]
        return {"max_rows": MAX_LINES, "of": "parts", "by": "part", "numbers": numbers}

    def _terms(self) -> Blocks:
        """Return the kernel of both strings as the sum over their shared parts."""
        first, second = self.counts.totals
        shared = self.counts.shared
        rows = [
            (part_name(part), first[part], second[part], first[part] * second[part])
            for part in shared
        ]
        terms = abridged([f"{first[part]} · {second[part]}" for part in shared], MAX_TERMS) or "0"
        total = sum(row[3] for row in rows)
        blocks: Blocks = [Formula(f"k = {terms} = {total}")]
        if rows:
            head = ("part", "first", "second", "product")
            blocks.append(short_table(head, rows, "Shared parts", **self._parts(shared)))
        if self.model.normalize:
            own = [sum(times**2 for times in counts.values()) for counts in (first, second)]
            value = num(self.value or 0.0)
            blocks.append(Formula(f"normalised: {total} / √({own[0]} · {own[1]}) = {value}"))
        return blocks

    def _product(self, step: StringKernelStep) -> tuple[str, Blocks]:
        first, second = self.names
        parts = count(len(self.counts.shared), "part", "different parts")
        caption = f"{first} and {second} share {parts}: their kernel is {num4(step.value or 0.0)}."
        return caption, self._terms()

    def _matrix(self, step: StringKernelStep) -> tuple[str, Blocks]:
        pairs = f"every two of the {len(self.run.problem.texts)} strings"
        caption = f"The kernel of {pairs} is computed from {step.n_parts} different parts."
        return caption, [self._neighbors(step)]

    def _done(self, step: StringKernelStep) -> tuple[str, Blocks]:
        K, i = step.matrix, self.model.first - 1
        assert K is not None
        value = num4(step.value or 0.0)
        caption = f"Done. The kernel of {self.names[0]} and {self.names[1]} is {value}"
        kernels = np.delete(K[i], i)
        if kernels.max(initial=0.0) > 0:
            nearest = int(kernels.argmax())
            best = nearest + (nearest >= i)
            name = shortened(self.run.problem.names[best], NAME)
            caption += f"; most similar to {self.names[0]} is {name} with {num4(K[i, best])}"
        return f"{caption}.", [*self._terms(), self._neighbors(step)]

    def _neighbors(self, step: StringKernelStep) -> LedgerTable:
        K, i = step.matrix, self.model.first - 1
        assert K is not None
        order = np.argsort(-K[i], kind="stable").tolist()
        rows = [(shortened(self.run.problem.names[k], NAME), short(K[i, k])) for k in order]
        title, numbers = f"Kernel with {self.names[0]}", [k + 1 for k in order]
        about: dict[str, Any] = {"of": "strings", "by": "string", "numbers": numbers}
        return short_table(("string", "kernel"), rows, title, max_rows=MAX_LINES, **about)


def part_name(part: str) -> str:
    """Return a part as it is written at its bar and in tables."""
    return shortened(part.replace(" ", "␣"), PART)
