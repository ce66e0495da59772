"""One run of an algorithm: all that pictures, numbers and exports are made from."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from dmlib.cached import cached_property
from dmlib.estimator import SupportsFitFrom
from dmlib.pictures.marks import Raster
from dmlib.pictures.regions import DRAFT, FINE, affordable, surface, work
from dmlib.trace import Trace, run

if TYPE_CHECKING:
    from dmlib.datasets import Table
    from dmlib.problem import Query

MOST_WORK = (
    10**9
)  # numbers that are compared for a fine image of the plane: about a second, at most three


@dataclass(frozen=True)
class Run:
    """The data, the steps of an algorithm on them, and what the reader asks of them.

    Scenes, figures, references and exports are functions of a run alone.

    Attributes
    ----------
    problem : Problem
        The data, those that are held out included.
    trace : Trace
        The steps, and the estimator that made them.
    selected : int or None
        The sample that the reader clicked.
    restart : int or None
        The restart that the reader wants to see; None for the one that the algorithm kept.
    options : mapping
        Settings of the picture and not of the algorithm.
    query : Query or None
        The place or sample that is asked about, on pages that have one.
    size : int
        Width and height in pixels of an image of the plane: few while controls move, more at rest.
    moving : bool
        Whether the next picture is about to follow: an image that costs much then has fewer pixels
        still.
    made : dict
        What :meth:`once` has made.
    table : Table or None
        The whole table that the problem was made from.
    table_code : str
        Python that makes ``table``.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import KMeans
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 9.0, 10.0]}), ["a"])
    >>> Run.of(problem, KMeans(2)).fitted.inertia_
    1.0
    """

    problem: Any
    trace: Trace
    selected: int | None = None
    restart: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    query: Query | None = None
    size: int = DRAFT
    moving: bool = False
    made: dict[str, Any] = field(default_factory=dict)
    table: Table | None = None
    table_code: str = ""

    @classmethod
    def of(cls, problem: Any, model: Any, **asked: Any) -> Run:
        """Run an estimator on a problem; ``asked`` are further attributes."""
        return cls(problem, run(model, *problem.training.arguments), **asked)

    @property
    def model(self) -> Any:
        """The estimator with its parameters, not fitted."""
        return self.trace.model

    @property
    def seed(self) -> int:
        """The ``random_state`` of the estimator, 0 where it has none."""
        return getattr(self.model, "random_state", None) or 0

    @property
    def asked(self) -> Query:
        """What is asked about; where nothing is, the middle of the samples."""
        return self.query or cast("Query", self.problem.query())

    @cached_property
    def fitted(self) -> Any:
        """The estimator, fitted to the samples that it is trained on.

        One that can become what its steps say has a method ``fit_from(steps, X, y)``: it need not
        learn twice.
        """
        from sklearn.base import clone

        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", UserWarning
            )  # the last step says the same as a sentence
            model, arguments = clone(self.model), self.problem.training.arguments
            if self.trace.complete and self.trace.steps and isinstance(model, SupportsFitFrom):
                return model.fit_from(self.trace.steps, *arguments)
            return model.fit(*arguments)

    @cached_property
    def surface(self) -> Raster:
        """The decision regions of the fitted classifier over the plane, as an image."""
        size = affordable(self.problem, self.fitted, self.size) if self.moving else self.size
        return surface(self.problem, self.fitted, size)

    @property
    def can_be_finer(self) -> bool:
        """Whether the image of the plane is a draft, and a fine one would be drawn soon enough."""
        drawn = "surface" in vars(self) and self.size == DRAFT
        return drawn and work(self.problem, self.fitted, FINE) <= MOST_WORK

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """Return what ``make`` returns, made once for this algorithm on these data, whatever is asked of it."""
        if name not in self.made:
            self.made[name] = make()
        return self.made[name]

    def take_over(self, other: Run) -> None:
        """Keep what another run of the same algorithm on the same data has computed, as far as it is the same here."""
        done = vars(other)
        if "fitted" in done:
            vars(self)["fitted"] = done["fitted"]
        self.made.update(other.made)
        if "surface" in done and other.size == self.size and not other.moving:
            mine, its = self.problem, other.problem
            if mine.plane.same(its.plane) and its.window == mine.window:
                vars(self)["surface"] = done["surface"]
