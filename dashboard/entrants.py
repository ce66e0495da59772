"""The techniques that are compared on the data of a page, and what each is compared with."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor

from dashboard.catalogue import ASSETS, CATALOGUE
from dashboard.data.table import Table
from dashboard.estimators import new
from dashboard.technique import Technique, technique_of
from dmlib.clustering.cluster_validity.clusterings import COUNTS, clustering_of, clusterings
from dmlib.evaluation.benchmark import Benchmark, Target
from dmlib.pictures.regions import region_panel
from dmlib.pictures.words import count
from dmlib.problem import Problem

MAX_ROWS = 2000
MAX_CELLS = 40_000  # of the table that each technique is fitted to a dozen times
MIN_ROWS = 200
GRID = 24, 16  # places of the plane at which regions are drawn
N_CURVE = 64  # places of a curve
ABOUT_COLUMNS = ("feature_selection", "lda_projection")
"""Pages that classify, but only to choose or to project columns."""
FEW_LABELS = ("semi_supervised",)
"""Pages whose methods hide most labels: with all of them, they are other methods."""


@dataclass(frozen=True, eq=False)
class Entrant:
    """One technique in the comparison.

    Attributes
    ----------
    slug, method : str
        Its page, and its method there.
    model : estimator
        With its settings, not fitted.
    is_own : bool
        Whether it is what the page shows.
    settings : mapping of str to str
        What the link of its page says of these settings.
    refusal : str
        Why it does not take the data.
    note : str
        What is to be known of how it takes them.
    """

    slug: str
    method: str
    model: Any
    is_own: bool = False
    settings: Mapping[str, str] = field(default_factory=dict)
    refusal: str = ""
    note: str = ""

    @property
    def title(self) -> str:
        """Its name for a reader."""
        return method_texts()[type(self.model).__name__]["name"]

    @property
    def assumption(self) -> str:
        """The line that says what it takes for granted about the data."""
        return method_texts()[type(self.model).__name__]["assumes"]


@lru_cache(maxsize=1)
def method_texts() -> Mapping[str, Mapping[str, str]]:
    """Return what methods are called and what they assume, by the names of their classes."""
    return tomllib.loads((ASSETS / "methods.toml").read_text("utf-8"))


def target_of(algorithm: Any) -> Target | None:
    """Return what an estimator finds; None where it is not compared with others."""
    if is_classifier(algorithm()):
        return "classes"
    if is_regressor(algorithm()):
        return "number"
    return "clusters" if algorithm in clusterings().values() else None


@lru_cache(maxsize=100)
def targets(slug: str) -> Mapping[str, Target]:
    """Return what the methods of a page find, of those that are compared with others."""
    if slug in (*ABOUT_COLUMNS, *FEW_LABELS):
        return {}
    page = technique_of(slug)
    by_method = {
        method: target_of(algorithm)
        for method, algorithm in page.methods.items()
        if isinstance(page.kind(method), Table)
    }
    return {method: target for method, target in by_method.items() if target is not None}


def entrants(
    technique: Technique, method: str, model: Any, problem: Problem, seed: int
) -> Iterator[Entrant]:
    """Yield the techniques that find the same as a method of a page, this one first.

    It has its settings, the others their defaults, and clusterings its number of clusters.
    """
    target = targets(technique.slug)[method]
    n_clusters = _n_clusters(model) if target == "clusters" else None

    def entrant(page: Technique, name: str, estimator: Any, is_own: bool = False) -> Entrant:
        settings = {f"{page.slug}.method": name} if len(page.methods) > 1 else {}
        names = COUNTS if n_clusters and not is_own else ()
        params = estimator.get_params(deep=False)
        settings |= {f"{page.slug}.{key}": str(params[key]) for key in names if key in params}
        refusal, note = _refusal(page, name, problem), _note(page, name, problem)
        return Entrant(page.slug, name, estimator, is_own, settings, refusal, note)

    yield entrant(technique, method, model, is_own=True)
    for slug in CATALOGUE:
        page = technique_of(slug)
        for name in (key for key, answer in targets(slug).items() if answer == target):
            if (slug, name) != (technique.slug, method):
                rival = new(page.methods[name], {}, seed)
                if n_clusters:
                    rival = clustering_of(rival, n_clusters, seed)
                yield entrant(page, name, rival)


def _n_clusters(model: Any) -> int | None:
    """Return the number of clusters that a clustering is asked for."""
    params = model.get_params(deep=False)
    return next((params[name] for name in COUNTS if params.get(name)), None)


def _refusal(page: Technique, method: str, problem: Problem) -> str:
    """Return why a method does not take these columns, as its estimator's tags say."""
    if problem.categories and not page.nominal(method):
        names = ", ".join(problem.features[j] for j in problem.categories)
        return f"It needs numbers, and has names in {names}."
    if np.isnan(problem.X).any() and not page.holes(method):
        return "It needs rows without missing values."
    return ""


def _note(page: Technique, method: str, problem: Problem) -> str:
    kind = page.kind(method)
    if isinstance(kind, Table) and kind.target == "one class" and len(problem.classes) > 2:
        n = len(problem.classes)
        return f"Its page tells one class from all others; here it tells all {n} apart."
    return ""


def compared_rows(problem: Problem, seed: int) -> Problem:
    """Return the problem of the rows on which techniques are compared.

    They are the training rows; of very many, a random sample.
    """
    training = problem.training
    n_rows, n_columns = training.X.shape
    limit = min(MAX_ROWS, max(MIN_ROWS, MAX_CELLS // max(n_columns, 1)))
    if n_rows <= limit:
        return training
    is_chosen = np.zeros(n_rows, bool)
    is_chosen[np.random.default_rng(seed).choice(n_rows, limit, replace=False)] = True
    return training.only(is_chosen)


def sample_note(problem: Problem, rows: Problem, table: Any) -> str:
    """Say which rows of a table are compared, and as what."""
    n_rows, n_training = len(rows.X), len(problem.training.X)
    parts = [f"Compared on {count(n_rows, 'row', 'rows')}"]
    if n_rows < n_training:
        parts.append(f", a random sample of {n_training:,}")
    if problem.test is not None:
        parts.append("; the test set stays out")
    parts.append(".")
    frame = getattr(table, "frame", {})
    if rows.classes and rows.target in frame:
        n_classes = frame[rows.target].nunique()
        if problem.labelled and len(rows.classes) < n_classes:
            parts.append(
                " One class is told from all others; pages that tell all classes apart open with"
                f" all {n_classes}."
            )
    return "".join(parts)


def benchmark_of(rows: Problem, target: Target, seed: int) -> Benchmark:
    """Return the benchmark on rows, with the places at which predictions are drawn."""
    places = None
    if target != "clusters" and (target == "classes" or rows.upright):
        x0, x1, y0, y1 = region_panel(rows).extent
        n_x, n_y = GRID if target == "classes" else (N_CURVE, 1)
        x, y = _middles(x0, x1, n_x), _middles(y0, y1, n_y)
        places = rows.table(rows.plane.lift_grid(x, y))
    return Benchmark(target, rows.data, rows.y, places, seed)


def _middles(low: float, high: float, n: int) -> Any:
    """Return the middles of n equal parts of an interval."""
    return low + (high - low) * (np.arange(n) + 0.5) / n
