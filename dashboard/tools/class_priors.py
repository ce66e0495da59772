"""Prior probabilities of the classes: their shares of the rows, equal ones, or one of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dashboard.tools.tool import Page, Tool
from dmlib.params import Choice, Number

SHARES, EQUAL = "", "equal"
RULES = {SHARES: "shares of the rows", EQUAL: "equal"}
PRIOR = Number(0.0, 1.0, shown=(0.01, 0.99), step=0.01)
USUAL = 0.5  # prior of a class that gets its own


@dataclass(frozen=True)
class ClassPriors(Tool):
    """A parameter with a probability for each class that has training rows."""

    parameter: str = "priors"

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Offer the rules and the classes; return the priors where they are not the shares."""
        if page.problem is None or self.parameter not in page.technique.defaults(page.method):
            return {}
        codes, counts = np.unique(page.problem.training.y, return_counts=True)
        if len(codes) < 2:
            return {}
        classes = [page.problem.classes[code] for code in codes]
        names = RULES | {name: f"own prior of {name}" for name in classes}
        chosen = page.form.control(
            page.key(f"{self.parameter}_of"),
            Choice(tuple(names)),
            SHARES,
            label="Priors",
            help_text="How probable each class is before anything is known of a row.",
            names=names,
            parts=("more",),
        )
        if chosen == SHARES:
            return {}
        if chosen not in classes:
            return {self.parameter: [1 / len(codes)] * len(codes)}
        own = page.form.control(
            page.key(self.parameter),
            PRIOR,
            USUAL,
            label=f"Prior of {chosen}",
            help_text="The others divide what is left, in proportion to their rows.",
            parts=("more",),
        )
        is_own = np.array(classes) == chosen
        others = np.where(is_own, 0, counts)
        return {self.parameter: np.where(is_own, own, (1 - own) * others / others.sum()).tolist()}

    def of_data(self, technique: Any) -> tuple[str, ...]:
        """Return the choice: other data have other classes."""
        return (f"{technique.slug}.{self.parameter}_of",)
