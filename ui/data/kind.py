"""What all kinds of data have in common: a panel to choose them, and a picture of the data alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import pandas as pd

from dmlib.pictures.scene import Scene

if TYPE_CHECKING:
    from ui.technique import Technique


@dataclass(frozen=True)
class Chosen:
    """What the reader chose.

    Attributes
    ----------
    table : object or None
        The data with their types, as they were read, drawn or made; None when there are none.
    problem : object or None
        What the algorithm gets of them; None when that is impossible.
    refusal : str
        Why it is impossible and what to do.
    source : str
        Where they come from: the library, a generator, the reader's hand or file.
    code : str
        Python that makes the arguments of ``fit`` from nothing but dmlib (and the reader's own
        file).
    table_code : str
        Its beginning, that makes ``table``.
    summary : str
        One line for people: the name, what is seen of it, its size.
    """

    table: Any
    problem: Any
    refusal: str
    source: str
    code: str = ""
    table_code: str = ""
    summary: str = "Data"


class Kind(Protocol):
    """One kind of data, as a page declares it."""

    @property
    def start(self) -> Mapping[str, str]:
        """The data that the page opens with."""

    @property
    def less(self) -> str:
        """What to choose where a run costs too much, in words of this kind: a sentence."""

    def panel(self, technique: Technique) -> Chosen:
        """Show the panel and return what was chosen, ready for a technique."""

    def refusal(self, problem: Any, params: Mapping[str, Any]) -> str:
        """Return a sentence that refuses the run before it begins, with the number that is too large; or nothing."""

    def fits(self, method: str, problem: Any) -> bool:
        """Return whether a problem has what a method of the page predicts."""

    def alone(self, problem: Any, caption: str) -> Scene:
        """Return the picture of the data alone; without a problem, of an empty stage."""

    def listing(self, problem: Any) -> pd.DataFrame:
        """Return what the algorithm gets, one row for each sample, and what is known of it."""

    def csv(self, data: Any) -> str:
        """Return the data as CSV."""

    def offers(self, chosen: Chosen) -> Mapping[str, Any]:
        """Return what the stage needs for making or changing the data by hand."""

    def takes(self, message: Mapping[str, Any]) -> bool:
        """Take over what was made by hand; what the browser sends is not trusted."""
