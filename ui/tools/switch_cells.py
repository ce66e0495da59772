"""Switch cells of a pattern on the picture: a parameter, or an option of the picture, that lists the switched cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from dmlib.datasets.drawn.patterns import decode_cells, encode_cells
from ui.data.cells import Bits, cells_of
from ui.estimators import new
from ui.links import keep, kept
from ui.panel import button
from ui.tools.tool import Page, Tool

NONE = ""


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
            text = f"Undo {len(cells)} drawn cell{'s' if len(cells) > 1 else ''}"
            button(page.key(f"{self.name}.undo"), text, lambda: self._keep(page, ()))
        return {self.name: cells}

    def takes(self, page: Page, message: Mapping[str, Any]) -> bool:
        """Take over the cells of the grid."""
        if message.get("name") != self.name or page.problem is None:
            return False
        try:
            start = self._start(page)
        except ValueError:  # a cue that is not there has no cells
            return True
        drawn = cells_of(message.get("cells"), start.shape)
        if drawn is not None:
            self._keep(page, tuple(np.flatnonzero(drawn != start).tolist()))
        return True

    def _start(self, page: Page) -> Bits:
        """Return the cells before any is switched."""
        problem, setting = page.problem, page.technique.settings.get(self.start)
        if setting is None:
            model = new(page.algorithm, page.params | {self.name: ()}, page.seed)
            return np.asarray(getattr(model, self.start)(*problem.training.arguments) > 0)
        number = min(setting.value(page), len(problem.data))
        return problem.data[number - 1] > 0 if number else np.zeros(problem.data.shape[1], bool)

    def _cells(self, page: Page) -> tuple[int, ...]:
        """Return the switched cells; none where they are those of other data."""
        text = kept(page.key(self.name), _checked, NONE)
        problem = page.problem
        try:
            ((cells,),) = (
                (decode_cells(text, problem.height, problem.width),) if text else ((np.empty(0),),)
            )
        except ValueError:
            return ()
        return tuple(np.flatnonzero(cells).tolist())

    def _keep(self, page: Page, cells: tuple[int, ...]) -> None:
        key, problem = page.key(self.name), page.problem
        switched = np.zeros((1, problem.height, problem.width), bool)
        switched.flat[list(cells)] = True
        text = encode_cells(switched) if cells else NONE
        st.session_state[key] = text
        keep(key, text or None)


def _checked(text: str) -> str:
    """Return the text of switched cells, if it is one of some size."""
    try:
        decode_cells(text, len(text), 6)
    except ValueError:
        raise ValueError("letters and digits, six cells each") from None
    return text
