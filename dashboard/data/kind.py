"""A kind of data: how they are chosen, and the picture of the data alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dashboard.data.fields import Field
from dashboard.form import Form
from dashboard.settings import Settings
from dmlib.pictures.scene import Scene

if TYPE_CHECKING:
    from dashboard.technique import Technique


@dataclass(frozen=True)
class Chosen:
    """Data that were chosen.

    Attributes
    ----------
    kind : Kind
        The kind that has made them ready.
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
        One line for people: the name, what is in view, the size.
    sample : ndarray of int or None
        The rows of a table that the problem was prepared from; None for all.
    """

    kind: Kind
    table: Any
    problem: Any
    refusal: str
    source: str
    code: str = ""
    table_code: str = ""
    summary: str = "Data"
    sample: NDArray[np.intp] | None = None


class Kind(Protocol):
    """One kind of data, as a page declares it."""

    @property
    def start(self) -> Mapping[str, str]:
        """The data that the page opens with."""

    @property
    def advice(self) -> str:
        """A sentence that says what to choose where a run costs too much."""

    def of(self, method: str) -> Kind:
        """Return what a method of the page takes."""

    def choose(self, technique: Technique, method: str, form: Form) -> Chosen:
        """Show what can be chosen; return what was chosen, ready for a method of a technique."""

    @property
    def has_decisions(self) -> bool:
        """Whether the data panel lets the reader decide how a file is read."""

    def with_file(self, settings: Settings) -> tuple[str, Settings]:
        """Return the reader of a file that is dropped, and the settings that show it.

        The name of the reader is empty where files are not taken.
        """

    def refusal(self, problem: Any, params: Mapping[str, Any]) -> str:
        """Return a sentence that refuses the run before it begins, or nothing."""

    def picture(self, problem: Any, caption: str) -> Scene:
        """Return the picture of the data alone; without a problem, of an empty stage."""

    def listing(self, problem: Any) -> pd.DataFrame:
        """Return what the algorithm gets, one row for each sample, and what is known of it."""

    def csv(self, data: Any) -> str:
        """Return the data as CSV."""

    def offers(self, chosen: Chosen, settings: Settings) -> Mapping[str, Any]:
        """Return what the stage needs for making or changing the data by hand."""

    def fields(self, chosen: Chosen) -> Sequence[Field]:
        """Return what a phone fills in to give one row of such data; nothing where it cannot."""

    def change(self, settings: Settings, message: Mapping[str, Any]) -> Settings | None:
        """Return the settings after a message of the stage, or None if it is for somebody else.

        What the browser sends is not trusted.
        """
