"""Ask for labels: the selected row tells its class to an algorithm that does not know it yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dashboard.estimators import new
from dashboard.settings import Settings
from dashboard.tools.ask import POINT, POINTS
from dashboard.tools.tool import Page, Tool

if TYPE_CHECKING:
    from dashboard.technique import Technique

MAX_ASKED = 200  # rows in a link
Rows = tuple[int, ...]
NO_ROWS: Rows = ()


def parse_rows(text: str) -> Rows:
    """Read the numbers of rows from a link.

    Raises
    ------
    ValueError
        If the text is no such list.

    Examples
    --------
    >>> parse_rows("12.3")
    (12, 3)
    """
    try:
        rows = tuple(dict.fromkeys(map(POINTS.parse, text.split("."))))
    except ValueError:
        raise ValueError("numbers of rows such as 12.3") from None
    return rows[:MAX_ASKED]


@dataclass(frozen=True)
class AskLabels(Tool):
    """Rows whose labels the reader asks for, one after the other: the value of a parameter.

    Parameters
    ----------
    parameter : str
        What it sets, by the places of the rows in the training set. The estimator has ``start(y)``,
        which says what is known without asking.
    """

    parameter: str = "queries"

    def of_data(self, technique: Technique) -> tuple[str, ...]:
        """Return the name of the rows in the link."""
        return (f"{technique.slug}.{self.parameter}",)

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Offer to ask for the selected row, and to forget what was asked."""
        if page.problem is None:
            return {}
        key, form, training = page.key(self.parameter), page.form, page.problem.training
        places = {int(row) + 1: place for place, row in enumerate(training.rows)}
        queries = tuple(row for row in form.value(key, parse_rows, NO_ROWS) if row in places)
        row = form.value(POINT, POINTS.parse, 0)
        if row in queries:
            remaining = tuple(each for each in queries if each != row)
            form.button(f"{key}.ask", f"Forget the label of row {row}", _with(key, remaining))
        elif row in places and not self._knows(page, places[row]):
            label = f"Ask for the label of row {row}"
            form.button(f"{key}.ask", label, _with(key, (*queries, row)))
        else:
            form.note("Click a row without a label to ask for it.")
        if queries:
            labels = "label" if len(queries) == 1 else "labels"
            form.button(f"{key}.undo", f"Forget {len(queries)} asked {labels}", _with(key, NO_ROWS))
        return {self.parameter: tuple(places[each] for each in queries)}

    def _knows(self, page: Page, place: int) -> bool:
        """Return whether a row has a label without asking."""
        model = new(page.algorithm, page.params, page.form.seed)
        try:
            return bool(model.start(page.problem.training.y).is_labeled[place])
        except ValueError:  # no row has one
            return False


def _with(key: str, rows: Rows) -> Any:
    """Return the change of settings to these asked rows."""

    def change(settings: Settings) -> Settings:
        text = ".".join(map(str, rows))
        return settings.with_text(key, *([text] if text else []))

    return change
