"""An offer to scale the columns, where their numbers are large."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from ui.links import keep
from ui.panel import button, note
from ui.tools.tool import Page, Tool

SCALING, WANTED = "scaling", "z-score"


@dataclass(frozen=True)
class OfferScaling(Tool):
    """A button that standardises the columns, where they are used as they are and some number is large.

    Parameters
    ----------
    beyond : float
        From which number on it is offered.
    why : str
        What large numbers do to the method.
    """

    beyond: float
    why: str

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Show the offer."""
        problem = page.problem
        if (
            problem is not None
            and problem.shift is None
            and float(np.nanmax(np.abs(problem.X))) > self.beyond
        ):
            note(self.why)
            button(page.key("scale"), "Standardise the columns", _scale)
        return {}


def _scale() -> None:
    """Standardise the columns; the data are prepared again, so the whole page runs."""
    from ui.adopt import ADOPTED  # which knows pages, and these their tools

    st.session_state[SCALING] = WANTED
    keep(SCALING, WANTED)
    st.session_state[ADOPTED] = True
