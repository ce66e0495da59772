"""Lines of text, whatever they hold: texts, and other data of the library written as lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dashboard.data.texts import Texts
from dashboard.form import Form
from dmlib.problem import prepare_lines


@dataclass(frozen=True)
class Lines(Texts):
    """Lines of text.

    Parameters
    ----------
    more : tuple of str
        Tables and baskets of the library that are offered too, as lines.
    """

    more: tuple[str, ...] = ()

    def names(self) -> tuple[str, ...]:
        """Return the texts of the library, and the others."""
        return (*super().names(), *self.more)

    def prepare(self, data: Any, form: Form) -> tuple[Any, str]:
        """Write the data as lines."""
        problem = prepare_lines(data)
        y = "X, y = problem.arguments\n" if problem.labelled else "X = problem.data\n"
        code = f"from dmlib.problem import prepare_lines\n\nproblem = prepare_lines(data)\n{y}"
        return problem, code
