"""An offer to scale the columns, where their numbers are large."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dashboard.settings import Settings
from dashboard.tools.tool import Page, Tool

SCALING, STANDARDISED = "scaling", "z-score"


@dataclass(frozen=True)
class OfferScaling(Tool):
    """A button that standardises columns that are used as they are, where some number is large.

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
        is_scaled = problem is None or problem.shift is not None
        if not is_scaled and float(np.nanmax(np.abs(problem.X))) > self.beyond:
            page.form.note(self.why)
            page.form.button(page.key("scale"), "Standardise the columns", _standardise)
        return {}


def _standardise(settings: Settings) -> Settings:
    return settings.with_text(SCALING, STANDARDISED)
