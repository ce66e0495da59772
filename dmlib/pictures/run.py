"""A run of an algorithm: pictures, numbers and exports are made from it alone."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from dmlib.cached import cached_property
from dmlib.estimator import ModelT, ModelT_co, SupportsFitFrom
from dmlib.pictures.marks import Raster
from dmlib.pictures.regions import DRAFT, FINE, affordable, surface, work
from dmlib.problem.interfaces import AnyProblem
from dmlib.trace import Trace, run

if TYPE_CHECKING:
    from dmlib.datasets import Table
    from dmlib.problem import ImageProblem, Problem, Query

ProblemT = TypeVar("ProblemT", bound=AnyProblem)
ProblemT_co = TypeVar("ProblemT_co", bound=AnyProblem, covariant=True)

MAX_WORK = 10**9
"""Numbers compared for a fine image of the plane: about a second, at most three."""


@dataclass(frozen=True)
class Run(Generic[ProblemT_co, ModelT_co]):
    """The data, the steps of an algorithm on them, and the questions of the reader.

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
        The results of :meth:`once`, by name.
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

    problem: ProblemT_co
    trace: Trace[ModelT_co]
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
    def of(cls, problem: ProblemT, model: ModelT, **attributes: Any) -> Run[ProblemT, ModelT]:
        """Run an estimator on a problem."""
        return Run(problem, run(model, *problem.training.arguments), **attributes)

    @property
    def model(self) -> ModelT_co:
        """The estimator with its parameters, not fitted."""
        return self.trace.model

    @property
    def seed(self) -> int:
        """The ``random_state`` of the estimator, 0 where it has none."""
        return getattr(self.model, "random_state", None) or 0

    @property
    def current_query(self: Run[Problem | ImageProblem, Any]) -> Query:
        """The query; without one, the middle of the samples."""
        return self.query or self.problem.query()

    @cached_property
    def fitted(self) -> ModelT_co:
        """The estimator, fitted to the samples that it is trained on.

        One that can become what its steps say has a method ``fit_from(steps, X, y)``: it need not
        learn twice.
        """
        from sklearn.base import clone

        with warnings.catch_warnings():
            # The last step says the same as a sentence.
            warnings.simplefilter("ignore", UserWarning)
            model: Any = clone(self.model)
            arguments = self.problem.training.arguments
            if self.trace.complete and self.trace.steps and isinstance(model, SupportsFitFrom):
                model.fit_from(self.trace.steps, *arguments)
            else:
                model.fit(*arguments)
            fitted: ModelT_co = model
            return fitted

    @cached_property
    def surface(self: Run[Problem, Any]) -> Raster:
        """The decision regions of the fitted classifier over the plane, as an image."""
        size = affordable(self.problem, self.fitted, self.size) if self.moving else self.size
        return surface(self.problem, self.fitted, size)

    @property
    def can_be_finer(self: Run[Problem, Any]) -> bool:
        """Whether the image of the plane is a draft, and a fine one would be drawn soon enough."""
        is_draft = "surface" in vars(self) and self.size == DRAFT
        return is_draft and work(self.problem, self.fitted, FINE) <= MAX_WORK

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """Return what ``make`` returns, made once for this algorithm on these data."""
        if name not in self.made:
            self.made[name] = make()
        return self.made[name]

    def take_over(self, previous: AnyRun) -> None:
        """Keep what an earlier run of the same algorithm on the same data has computed."""
        computed = vars(previous)
        if "fitted" in computed:
            vars(self)["fitted"] = computed["fitted"]
        self.made.update(previous.made)
        if "surface" in computed and previous.size == self.size and not previous.moving:
            before, problem = previous.problem, cast("Problem", self.problem)
            if problem.plane.same(before.plane) and before.window == problem.window:
                vars(self)["surface"] = computed["surface"]


AnyRun = Run[Any, Any]
"""A run of whatever algorithm on whatever data."""
