"""Rules in words, for pictures, ledgers and questions."""

from __future__ import annotations

from typing import Any

from dmlib.classification.rule_learning.conditions import Condition, Rule, condition_text
from dmlib.problem import Problem


class Words:
    """Conditions and rules with the names of columns, values and classes.

    Parameters
    ----------
    problem : Problem
        The data, labelled.
    codes : sequence of int
        The classes that were learned, ``classes_``.
    """

    def __init__(self, problem: Problem, codes: Any) -> None:
        self.problem, self.X = problem, problem.training.X
        self.codes = [int(code) for code in codes]
        self.classes = [problem.classes[code] for code in self.codes]
        self._texts: dict[Condition, str] = {}

    def condition(self, condition: Condition) -> str:
        """Return a condition in words."""
        if condition not in self._texts:
            problem = self.problem
            text = condition_text(condition, problem.features, problem.categories, self.X)
            self._texts[condition] = text
        return self._texts[condition]

    def conditions(self, rule: Rule) -> str:
        """Return the conditions of a rule in words."""
        return " and ".join(map(self.condition, rule.conditions)) or "anything"

    def rule(self, rule: Rule) -> str:
        """Return a rule in words."""
        return f"if {self.conditions(rule)} then {self.classes[rule.target]}"
