"""Interfaces of an estimator: what each one offers, and what some offer besides.

What is optional is asked for by ``isinstance(model, SupportsDraft)``, of an estimator or of its
class; so a reader finds here who may offer what, and mypy checks how it is used.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import Any, ClassVar, Protocol, Self, TypeVar, runtime_checkable

from dmlib.params import Conditions, Decided, Param, Ranges, Spoken


class Steps(Protocol):
    """Anything with a ``steps(X, y)`` generator."""

    def steps(self, X: Any, y: Any = None) -> Iterator[Any]:
        """Yield one frozen record per step."""


ModelT = TypeVar("ModelT", bound=Steps)
ModelT_co = TypeVar("ModelT_co", bound=Steps, covariant=True)


@runtime_checkable
class Learner(Protocol):
    """An estimator of scikit-learn or of this library, as another one takes it for a parameter.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> isinstance(GaussianNB(), Learner), isinstance("naive_bayes", Learner)
    (True, False)
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn from data."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters of the constructor."""


class Estimator(Steps, Learner, Protocol):
    """An algorithm with a page: ``steps``, ``fit`` and the specifications of its parameters.

    Attributes
    ----------
    PARAMS : mapping of str to Param
        Specification of each parameter that has a control.
    """

    PARAMS: ClassVar[Mapping[str, Param]]


@runtime_checkable
class HasRanges(Estimator, Protocol):
    """An estimator whose sliders have ranges that depend on the data (docs/decisions/0012)."""

    RANGES: ClassVar[Ranges]


@runtime_checkable
class HasConditions(Estimator, Protocol):
    """An estimator with parameters that only apply while another has one of some values."""

    APPLIES: ClassVar[Conditions]


@runtime_checkable
class HasOverrides(Estimator, Protocol):
    """An estimator with parameters that a number overrides that is set instead."""

    DECIDED: ClassVar[Decided]


@runtime_checkable
class HasOptionLabels(Protocol):
    """An estimator whose options a reader sees under labels that are not their names."""

    SPOKEN: ClassVar[Spoken]


@runtime_checkable
class HasPauses(Steps, Protocol):
    """An estimator that says whether its run can be continued after it was stopped.

    Without this, it can; one whose steps hold what others wait for says False.
    """

    PAUSES: ClassVar[bool]


@runtime_checkable
class SupportsDraft(Estimator, Protocol):
    """An estimator that learns less while a control moves (docs/decisions/0024)."""

    def draft(self, X: Any, y: Any = None) -> Mapping[str, Any]:
        """Return the parameters that are lowered for a draft, with their values."""


@runtime_checkable
class SupportsShortening(Estimator, Protocol):
    """An estimator whose steps are among those of one that learns longer (docs/decisions/0024).

    Attributes
    ----------
    LENGTH : str
        The parameter that says how long it learns.
    """

    LENGTH: ClassVar[str]

    def shortened(self, steps: Sequence[Any], X: Any, y: Any = None) -> tuple[Any, ...] | None:
        """Return its steps, from those of the longer run so far; None if these are too few."""


@runtime_checkable
class SupportsFitFrom(Protocol):
    """An estimator that is fitted by the steps of its run, without learning twice."""

    def fit_from(self, steps: Sequence[Any], X: Any, y: Any = None) -> Self:
        """Become what the steps of a whole run say."""


@runtime_checkable
class SupportsStages(Protocol):
    """A fitted predictor that knows what it would have predicted at a step of its run."""

    def predict_at(self, steps: Sequence[Any], X: Any) -> Iterator[Any]:
        """Yield the predictions at each of these steps; None where there are none."""


class Staged(ABC):
    """Mixin of predictors whose steps have all that a prediction needs."""

    @abstractmethod
    def _learned(self, step: Any) -> Mapping[str, Any]:
        """Return the fitted attributes that a prediction needs, as a step has them."""

    def predict_at(self, steps: Sequence[Any], X: Any) -> Iterator[Any]:
        """Yield the predictions of rows at each of these steps of its run."""
        for step in steps:
            model: Any = copy(self)
            model.__dict__.update(self._learned(step))
            yield model.predict(X)


@runtime_checkable
class SupportsCertainty(Protocol):
    """A classifier that says how certain each prediction is, where it has no probabilities."""

    def certainty(self, X: Any) -> Any:
        """Return the classes of rows and how certain each is, between 0 and 1."""


@runtime_checkable
class HasCosts(Protocol):
    """A classifier that predicts the class of least expected cost, where errors have costs."""

    costs: Any

    def predict(self, X: Any) -> Any:
        """Return the predicted class of each row."""


@runtime_checkable
class HasEdges(Protocol):
    """A fitted estimator that joins rows, or nodes, by edges."""

    def edges(self) -> Any:
        """Return pairs of numbers of rows, shape (n_edges, 2), the smaller one first."""


@runtime_checkable
class SupportsCuts(Protocol):
    """A tree that knows between which values of a column its answer can change."""

    def cuts(self, column: int) -> Any:
        """Return the thresholds of a column."""


@runtime_checkable
class HasGroups(Protocol):
    """A classifier of rows that may stand for several cases, as many as their last column says."""

    grouped: bool


@runtime_checkable
class HidesLabels(Protocol):
    """A fitted classifier that did not see the labels of some rows that it was fitted to."""

    hidden_: Any


@runtime_checkable
class HasTransduction(Protocol):
    """A fitted classifier that keeps the labels it was given and infers the others."""

    transduction_: Any


@runtime_checkable
class SupportsPrediction(Protocol):
    """An estimator that predicts something for new rows: a class, a number, a cluster."""

    def predict(self, X: Any) -> Any:
        """Return the prediction for each row."""


@runtime_checkable
class SupportsProbabilities(Protocol):
    """An estimator that says how probable each class is, or how far a row belongs to clusters."""

    def predict_proba(self, X: Any) -> Any:
        """Return a number for each row and class or cluster."""


@runtime_checkable
class SupportsDecisions(Protocol):
    """A classifier whose predictions follow from a number, or one for each class."""

    def decision_function(self, X: Any) -> Any:
        """Return the numbers that decide."""


@runtime_checkable
class SupportsDensity(Protocol):
    """An estimator of a density."""

    def score_samples(self, X: Any) -> Any:
        """Return the log-density of each row."""


@runtime_checkable
class SupportsAnomalyScores(Protocol):
    """A detector of anomalies, fitted to rows that it has scored."""

    scores_: Any
    anomalies_: Any

    def anomaly_score(self, X: Any) -> Any:
        """Return the score of each new row, the higher the more unusual."""

    def predict(self, X: Any) -> Any:
        """Return -1 for each new row that is an anomaly, and 1 for the others."""


@runtime_checkable
class HasLabels(Protocol):
    """A clustering of the rows that it was fitted to; -1 is noise."""

    labels_: Any


@runtime_checkable
class HasHeldOutPredictions(Protocol):
    """A fitted evaluation, with the prediction of each row by models not trained on it."""

    predictions_: Any


@runtime_checkable
class HasScores(Protocol):
    """A fitted evaluation, with the score of each row by which it is classified."""

    scores_: Any
