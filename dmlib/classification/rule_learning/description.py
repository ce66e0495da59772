"""The rows of one class, as they are described by rules and by exceptions from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dmlib.classification.rule_learning.conditions import Mask, Rule
from dmlib.classification.rule_learning.description_length import (
    DescriptionLength,
    exception_bits,
    theory_bits,
)
from dmlib.classification.rule_learning.learner import judged
from dmlib.classification.rule_learning.search import Rows
from dmlib.trace import look


@dataclass(frozen=True, eq=False)
class Description:
    """The rows of one class and of the later ones, described by rules for the class."""

    rows: Rows
    domain: Mask  # the rows that no rule of an earlier class covers
    target: int

    def length(self, rules: Sequence[Rule]) -> DescriptionLength:
        """Return the description length of some rules."""
        n = self.rows.n_conditions
        theory = sum(theory_bits(len(rule.conditions), n) for rule in rules)
        return self.length_of(self.covered(rules), theory)

    def length_of(self, is_covered: Mask, theory: float) -> DescriptionLength:
        """Return the description length of rules that cover some rows, by their own bits."""
        is_target = self.rows.codes == self.target
        counts = (
            int(is_covered.sum()),
            int((self.domain & ~is_covered).sum()),
            int((is_covered & ~is_target).sum()),
            int((self.domain & ~is_covered & is_target).sum()),
        )
        return DescriptionLength(*counts, theory, exception_bits(*counts))

    def toggled(
        self, pool: Sequence[Rule], covers: Mask, is_in: Mask
    ) -> tuple[DescriptionLength, ...]:
        """Return the description length of some rules of a pool, and with each rule toggled.

        ``covers`` says which rows each rule of the pool covers, shape (n_rules, n_samples), and
        ``is_in`` which rules are taken, shape (n_rules,).
        """
        n = self.rows.n_conditions
        bits = np.array([theory_bits(len(rule.conditions), n) for rule in pool])
        times, theory = (covers & self.domain)[is_in].sum(axis=0), float(bits[is_in].sum())
        lengths = [self.length_of(times > 0, theory)]
        for covered, own_bits, is_taken in zip(covers & self.domain, bits, is_in, strict=True):
            look()
            sign = -1 if is_taken else 1
            toggled_theory = max(theory + sign * float(own_bits), 0.0)
            lengths.append(self.length_of(times + sign * covered > 0, toggled_theory))
        return tuple(lengths)

    def shortened(self, rules: Sequence[Rule]) -> tuple[Rule, ...]:
        """Return the rules without those whose absence shortens the description, from the last."""
        remaining = tuple(rules)
        for number in reversed(range(len(rules))):
            fewer = remaining[:number] + remaining[number + 1 :]
            if self.length(fewer).total < self.length(remaining).total:
                remaining = fewer
        return remaining

    def covered(self, rules: Sequence[Rule]) -> Mask:
        """Return which rows of the domain some rule covers."""
        covers = [rule.covers(self.rows.X) for rule in rules]
        is_covered: Mask = self.domain & np.any(covers, axis=0)
        return is_covered

    def counted(self, rules: Sequence[Rule]) -> tuple[Rule, ...]:
        """Return the rules with p and t among the rows that reach them in the list."""
        active, counted = self.domain, []
        for rule in rules:
            with_counts, covered = judged(rule, self.rows, active)
            active = active & ~covered
            counted.append(with_counts)
        return tuple(counted)
