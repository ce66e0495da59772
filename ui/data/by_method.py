"""A table for most methods of a page, and other data for some of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from dmlib.params import Choice
from dmlib.pictures.scene import Scene
from ui.controls import peek
from ui.data.kind import Chosen, Kind
from ui.data.table import Table
from ui.links import keep

if TYPE_CHECKING:
    from ui.technique import Technique

MADE_FOR = "data.made_for"
"""In the session: the method that the data on the screen were chosen for, and the name of its
control."""

SHARED = ("source", "data", "generator")
"""Names of controls that several kinds of data have."""


@dataclass(frozen=True)
class ByMethod(Table):
    """A table, and other data for some of the methods.

    Parameters
    ----------
    others : mapping of str to Kind
        The methods that take something else, and what.
    """

    others: Mapping[str, Kind] = field(default_factory=dict)

    def panel(self, technique: Technique) -> Chosen:
        """Show the panel of the kind that the chosen method takes."""
        names, key = tuple(technique.methods), f"{technique.slug}.method"
        method = peek(key, Choice(names), names[0])
        if MADE_FOR in st.session_state and isinstance(self.of(method), Table) != isinstance(
            self._kind, Table
        ):
            for name in SHARED:  # what was chosen is of another kind: this one begins with its own
                st.session_state.pop(name, None)
                keep(name, None)
        st.session_state[MADE_FOR] = (key, method)
        alone = replace(technique, methods={method: technique.methods[method]})
        return self.others[method].panel(alone) if method in self.others else self._panel(alone)

    def of(self, method: str) -> Any:
        """Return the kind of data that a method takes."""
        return self.others.get(method, self)

    def fits(self, method: str, problem: Any) -> bool:
        """Return whether the data on the screen are those of a method."""
        return self.of(method) is self._kind

    @property
    def _kind(self) -> Any:
        """The kind of the data that are on the screen."""
        return self.of(st.session_state.get(MADE_FOR, ("", ""))[1])

    def refusal(self, problem: Any, params: Mapping[str, Any]) -> str:
        """Return a sentence that refuses the run before it begins; also while the data are still another method's."""
        key, method = st.session_state.get(MADE_FOR, ("", ""))
        if self.of(st.session_state.get(key, method)) is not self._kind:
            return "The data of this method are about to be shown."
        return (
            super().refusal(problem, params)
            if self._kind is self
            else self._kind.refusal(problem, params)
        )

    def alone(self, problem: Any, caption: str) -> Scene:
        """Return the picture of the data alone."""
        return (
            super().alone(problem, caption)
            if self._kind is self
            else self._kind.alone(problem, caption)
        )

    def listing(self, problem: Any) -> pd.DataFrame:
        """Return what the algorithm gets, row by row."""
        return super().listing(problem) if self._kind is self else self._kind.listing(problem)

    def csv(self, table: Any) -> str:
        """Return the data as CSV."""
        return super().csv(table) if self._kind is self else self._kind.csv(table)

    def offers(self, chosen: Chosen) -> Mapping[str, Any]:
        """Return what the stage needs for making data by hand."""
        return super().offers(chosen) if self._kind is self else self._kind.offers(chosen)

    def takes(self, message: Mapping[str, Any]) -> bool:
        """Take over what was made by hand."""
        return super().takes(message) if self._kind is self else self._kind.takes(message)
