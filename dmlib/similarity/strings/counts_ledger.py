"""The counts of a string kernel in two strings, and the numbers of their parts."""

from __future__ import annotations

from collections import Counter
from typing import Any

from dmlib.cached import cached_property
from dmlib.pictures.run import Run
from dmlib.problem import TextsProblem
from dmlib.similarity.strings.alignment import pair_of
from dmlib.similarity.strings.string_kernel import StringKernelStep

MAX_BARS = 16  # parts whose counts are drawn
CONTIGUOUS = ("spectrum", "delta")  # kernels that count the window as it is


class Counts:
    """The counts of the parts of two strings.

    Parameters
    ----------
    run : Run
        A run of a string kernel.
    """

    def __init__(self, run: Run[TextsProblem, Any]) -> None:
        self.kernel = run.model.kernel
        self.texts = pair_of(run.problem.texts, run.model.first, run.model.second)
        self.parts = run.model.parts(run.problem.texts)

    @cached_property
    def totals(self) -> tuple[Counter[str], Counter[str]]:
        """The counts of both strings."""
        first, second = map(self.parts.count, self.texts)
        return first, second

    @cached_property
    def shared(self) -> list[str]:
        """The parts of both strings, by falling product of their counts."""
        first, second = self.totals
        parts = [part for part in first if part in second]
        return sorted(parts, key=lambda part: -first[part] * second[part])

    @cached_property
    def numbered(self) -> list[str]:
        """The parts whose counts are drawn: the shared ones first, then the most frequent ones."""
        first, second = self.totals

        def rank(part: str) -> tuple[int, int]:
            return -first[part] * second[part], -first[part] - second[part]

        return sorted(dict.fromkeys([*first, *second]), key=rank)[:MAX_BARS]

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each part whose counts are drawn, from 1."""
        return {part: i + 1 for i, part in enumerate(self.numbered)}

    def number(self, window: str) -> int:
        """Return the number of the part of a window; 0 where it has several parts."""
        return self.numbers.get(window, 0) if self.kernel in CONTIGUOUS else 0

    def after(self, step: StringKernelStep) -> tuple[Counter[str], Counter[str]]:
        """Return the counts of both strings after a step."""
        if step.phase != "slide":
            return self.totals
        so_far: Counter[str] = Counter()
        for window in self.parts.windows(self.texts[step.side])[: step.place + 1]:
            so_far.update(self.parts.of(window))
        return (so_far, Counter()) if step.side == 0 else (self.totals[0], so_far)
