"""A benchmark experiment: estimators of one kind on the same rows, folds and resamples."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from time import thread_time
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.metrics import (
    accuracy_score,
    adjusted_rand_score,
    davies_bouldin_score,
    r2_score,
    root_mean_squared_error,
    silhouette_score,
)
from sklearn.model_selection import KFold, StratifiedKFold, cross_validate

from dmlib.arrays import Floats, take
from dmlib.cached import cached_property
from dmlib.evaluation.model_size import model_size
from dmlib.trace import OutOfTime, limited, look, thread_clock

Target = Literal["classes", "number", "clusters"]
Rows = NDArray[np.intp]

FOLDS, FEWER_FOLDS = 10, 5
MANY_ROWS = 500  # from which on fewer folds are enough, and twice as fast
N_RESAMPLES = 10
MAX_SECONDS = 4.0  # of work on one estimator
TOO_LONG = f"All its fits take more than {MAX_SECONDS:g} seconds. Choose fewer rows or columns."


@dataclass(frozen=True, eq=False)
class Scores:
    """How one estimator does on the rows of a benchmark.

    Attributes
    ----------
    measures : mapping of str to float
        By name: measures of the estimator that is fitted to all rows.
    repeated : mapping of str to ndarray
        By name: a measure on each fold, or on each resample of a clustering.
    answer : ndarray of shape (n_samples,) or None
        The prediction or cluster of each row.
    surface : ndarray of shape (n_places,) or None
        The prediction at each place of the benchmark.
    seconds : float
        Work on the fit to all rows.
    n_parameters : int or None
        Of the fitted model.
    unit : str
        What these parameters are.
    reason : str
        Why something is missing; empty where nothing is.
    """

    measures: Mapping[str, float] = field(default_factory=dict)
    repeated: Mapping[str, Floats] = field(default_factory=dict)
    answer: NDArray[Any] | None = None
    surface: NDArray[Any] | None = None
    seconds: float = np.nan
    n_parameters: int | None = None
    unit: str = ""
    reason: str = ""

    def mean(self, name: str) -> float:
        """Return the mean of a measure over the folds; NaN without any."""
        return float(np.mean(self.repeated[name])) if name in self.repeated else np.nan

    def spread(self, name: str) -> float:
        """Return the standard deviation of a measure over the folds; NaN below two."""
        values = self.repeated.get(name, ())
        return float(np.std(values, ddof=1)) if len(values) > 1 else np.nan


@dataclass(frozen=True, eq=False)
class Benchmark:
    """Rows on which estimators are compared.

    Attributes
    ----------
    target : {"classes", "number", "clusters"}
        What the estimators find.
    X : ndarray or DataFrame of shape (n_samples, n_features)
        The rows.
    y : ndarray of shape (n_samples,) or None
        Classes or numbers; of clusters, classes that they are compared with.
    places : ndarray or DataFrame of shape (n_places, n_features), or None
        Where predictions are asked for, to draw them.
    seed : int
        Decides on folds and resamples.

    Examples
    --------
    >>> from dmlib.classification import KNeighborsClassifier
    >>> X = np.repeat([[0.0, 0.0], [9.0, 9.0]], 10, axis=0) + np.arange(20)[:, None] / 10
    >>> benchmark = Benchmark("classes", X, np.repeat([0, 1], 10))
    >>> scores = benchmark.score(KNeighborsClassifier(3))
    >>> scores.mean("error"), len(scores.repeated["error"]), scores.n_parameters, scores.unit
    (0.0, 10, 20, 'rows stored')
    """

    target: Target
    X: Any
    y: NDArray[Any] | None = None
    places: Any = None
    seed: int = 0

    @cached_property
    def folds(self) -> list[tuple[Rows, Rows]]:
        """Training and test rows of each fold, the same for all estimators.

        They are scikit-learn's, stratified by class where a class has enough rows.
        """
        n = len(self.X)
        n_folds = min(FOLDS if n < MANY_ROWS else FEWER_FOLDS, n)
        if n_folds < 2:
            return []
        splitter: Any = KFold
        if self.target == "classes":
            assert self.y is not None
            if np.unique(self.y, return_counts=True)[1].max() >= n_folds:
                splitter = StratifiedKFold
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of a class with fewer rows than folds
            split = splitter(n_folds, shuffle=True, random_state=self.seed).split
            return list(split(np.zeros(n), self.y))

    @cached_property
    def resamples(self) -> list[Rows]:
        """The rows of bootstrap samples; a row that is drawn twice counts once."""
        rng, n = np.random.default_rng(self.seed), len(self.X)
        return [np.unique(rng.integers(n, size=n)) for _ in range(N_RESAMPLES)]

    def score(self, model: Any) -> Scores:
        """Fit an estimator to all rows, and again to each fold or resample.

        What it says against the data, or that it takes too long, is the reason of what is missing.
        """
        results: dict[str, Any] = {}
        try:
            with (
                warnings.catch_warnings(),
                np.errstate(all="ignore"),
                limited(MAX_SECONDS, TOO_LONG, thread_clock()),
            ):
                warnings.simplefilter("ignore")
                for part in self._parts(model):
                    results |= part
        except ValueError as error:
            results["reason"] = str(error)
        except OutOfTime as error:
            if str(error) != TOO_LONG:  # somebody else has ended it
                raise
            results["reason"] = TOO_LONG
        return Scores(**results)

    def _parts(self, model: Any) -> Iterator[dict[str, Any]]:
        """Yield parts of the scores, so that those before an error are not lost."""
        start = thread_time()
        fitted = clone(model).fit(*self._arguments)
        yield {"seconds": thread_time() - start}
        yield model_size(fitted, len(self.X))._asdict()
        answer = np.asarray(fitted.labels_ if self.target == "clusters" else fitted.predict(self.X))
        yield {"answer": answer, "measures": self._measures(answer)}
        if self.places is not None:
            yield {"surface": np.asarray(fitted.predict(self.places))}
        if self.target != "clusters":
            yield {"repeated": self._cross_validated(model)}
        elif len(np.unique(answer)) > 1:  # one cluster is always the same
            yield {"repeated": {"stability": self._stability(model, answer)}}

    @property
    def _arguments(self) -> tuple[Any, ...]:
        return (self.X,) if self.target == "clusters" else (self.X, self.y)

    def _measures(self, answer: NDArray[Any]) -> dict[str, float]:
        if self.target == "classes":
            return {"error": 1 - accuracy_score(self.y, answer)}
        if self.target == "number":
            return {
                "rmse": root_mean_squared_error(self.y, answer),
                "r2": r2_score(self.y, answer) if len(answer) > 1 else np.nan,
            }
        return self._validity(answer)

    def _validity(self, labels: NDArray[Any]) -> dict[str, float]:
        """Return measures of clusters; noise belongs to none."""
        rows = labels >= 0
        n_clusters = len(np.unique(labels[rows]))
        measures = {"n_clusters": float(n_clusters), "noise": 1 - float(rows.mean())}
        if 2 <= n_clusters < rows.sum() and isinstance(self.X, np.ndarray):
            measures["silhouette"] = silhouette_score(self.X[rows], labels[rows])
            measures["davies_bouldin"] = davies_bouldin_score(self.X[rows], labels[rows])
        if self.y is not None:
            measures["rand"] = adjusted_rand_score(self.y, labels)
        return measures

    def _stability(self, model: Any, labels: NDArray[Any]) -> Floats:
        """Compare the clusters of each resample with those of all rows, by adjusted Rand index."""
        values = []
        for rows in self.resamples:
            look()
            resampled = clone(model).fit(take(self.X, rows)).labels_
            values.append(adjusted_rand_score(labels[rows], resampled))
        return np.array(values)

    def _cross_validated(self, model: Any) -> dict[str, Floats]:
        if not self.folds:
            raise ValueError("One row can be trained on or tested, not both. Add rows.")
        scoring = {"classes": ["accuracy"], "number": ["neg_root_mean_squared_error", "r2"]}
        scores = cross_validate(
            model, self.X, self.y, cv=self.folds, scoring=scoring[self.target], error_score="raise"
        )
        if self.target == "classes":
            return {"error": 1 - scores["test_accuracy"]}
        return {"rmse": -scores["test_neg_root_mean_squared_error"], "r2": scores["test_r2"]}
