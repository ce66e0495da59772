"""A formula over the columns of a table, which the reader types."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dashboard.tools.tool import Page, Tool

if TYPE_CHECKING:
    from dashboard.technique import Technique


@dataclass(frozen=True)
class WriteFormula(Tool):
    """A parameter that is a formula, beside one with the names of the columns.

    Parameters
    ----------
    default : callable
        Names of columns -> the formula that no link contains.
    max_chars : int
        The most characters.
    parameter, columns : str
        The names of both parameters in the constructor; they are not among ``PARAMS``.
    label : str
        What the reader sees.
    """

    default: Callable[[Sequence[str]], str]
    max_chars: int
    parameter: str = "formula"
    columns: str = "columns"
    label: str = "Formula (name = …)"

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Show the field; return the formula and the names of the columns."""
        if page.problem is None or self.parameter not in page.technique.defaults(page.method):
            return {}
        features = page.problem.features
        formula = page.form.text_field(
            page.key(self.parameter),
            self.label,
            self.default(features),
            max_chars=self.max_chars,
            parts=(),
        )
        return {self.parameter: formula, self.columns: features}

    def of_data(self, technique: Technique) -> tuple[str, ...]:
        """Return the formula: other data have other columns."""
        return (f"{technique.slug}.{self.parameter}",)
