"""Switch cells of a pattern on the picture; their list is a parameter or an option."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dashboard.estimators import new
from dashboard.messages import Bits, cells_of
from dashboard.settings import Settings
from dashboard.tools.tool import Page, Tool
from dmlib.datasets.drawn.patterns import decode_cells, encode_cells


@dataclass(frozen=True)
class SwitchCells(Tool):
    """Cells, by their number from 0, which the reader has switched on a grid of the picture.

    Parameters
    ----------
    name : str
        The parameter, or the option of the picture; the grid has its name.
    start : str
        What the cells are switched of: a method of the estimator, whose answer is positive where a
        cell is on; or a setting of the picture, the number of a pattern from 1, or 0 for an empty
        one.
    methods : tuple of str
        The methods of the page that have it; by default all.
    """

    name: str
    start: str
    methods: tuple[str, ...] = ()

    def decides(self, page: Page) -> frozenset[str]:
        """Return the parameter, where it is one."""
        return frozenset({self.name} & set(page.technique.defaults(page.method)))

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Return the switched cells, and offer to forget them."""
        if page.problem is None or (self.methods and page.method not in self.methods):
            return {}
        cells = self._cells(page)
        if cells:
            label = f"Undo {len(cells)} drawn cell{'s' if len(cells) > 1 else ''}"
            key = page.key(self.name)
            page.form.button(f"{key}.undo", label, lambda settings: settings.without(key))
        return {self.name: cells}

    def change(self, page: Page, message: Mapping[str, Any]) -> Settings | None:
        """Take over the cells of the grid."""
        if message.get("name") != self.name or page.problem is None:
            return None
        try:
            start = self._start(page)
        except ValueError:  # a cue that is not there has no cells
            return page.settings
        cells = cells_of(message.get("cells"), start.shape)
        if cells is None:
            return page.settings
        problem = page.problem
        switched = (cells != start).reshape(1, problem.height, problem.width)
        text = encode_cells(switched) if switched.any() else ""
        return page.settings.with_text(page.key(self.name), *([text] if text else []))

    def _start(self, page: Page) -> Bits:
        """Return the cells before any is switched."""
        problem, setting = page.problem, page.technique.settings.get(self.start)
        if setting is None:
            model = new(page.algorithm, page.params | {self.name: ()}, page.form.seed)
            return np.asarray(getattr(model, self.start)(*problem.training.arguments) > 0)
        number = min(setting.value(page), len(problem.data))
        return problem.data[number - 1] > 0 if number else np.zeros(problem.data.shape[1], bool)

    def _cells(self, page: Page) -> tuple[int, ...]:
        """Return the switched cells; none where they are those of other data."""
        text = page.form.value(page.key(self.name), _checked, "")
        if not text:
            return ()
        problem = page.problem
        try:
            (cells,) = decode_cells(text, problem.height, problem.width)
        except ValueError:
            return ()
        return tuple(np.flatnonzero(cells).tolist())


def _checked(text: str) -> str:
    """Return the text of switched cells, if it is one of some size."""
    try:
        decode_cells(text, len(text), 6)
    except ValueError:
        raise ValueError("letters and digits, six cells each") from None
    return text
