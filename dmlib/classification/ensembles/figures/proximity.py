"""Proximities: the fraction of trees in which two rows share a leaf."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification.base_learners import check_trees
from dmlib.classification.ensembles.voting import VotingClassifier
from dmlib.evenly import evenly
from dmlib.pictures.figures.style import finish, plain
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.problem import Problem
from dmlib.trace import look

MAX_ROWS = 300


@dataclass(frozen=True)
class ProximityData:
    """The proximities of the training rows, class by class; of many rows a sample."""

    rows: NDArray[np.intp]  # (n,): their numbers from 1
    classes: tuple[str, ...]  # the class of each
    proximity: Floats  # (n, n): the fraction of trees in which two rows share a leaf
    n_all: int

    @property
    def within(self) -> float:
        """The mean proximity of two rows of one class."""
        return self._mean(same=True)

    @property
    def between(self) -> float:
        """The mean proximity of two rows of different classes; NaN for one class."""
        return self._mean(same=False)

    def _mean(self, *, same: bool) -> float:
        codes = np.unique(self.classes, return_inverse=True)[1]
        pairs = (codes[:, None] == codes) == same
        np.fill_diagonal(pairs, val=False)
        return float(self.proximity[pairs].mean()) if pairs.any() else float("nan")


def proximities(model: VotingClassifier, X: Any) -> Floats:
    """Return the fraction of trees in which two rows share a leaf, for all pairs.

    Examples
    --------
    >>> from dmlib.classification import RandomForestClassifier
    >>> X = np.array([[0.0], [0.1], [9.0]])
    >>> proximities(RandomForestClassifier(10, random_state=0).fit(X, [0, 0, 1]), X)[0].tolist()
    [1.0, 1.0, 0.5]
    """
    leaves = model.apply(X)
    total = np.zeros((len(leaves), len(leaves)))
    for each in leaves.T:
        look()
        total += each[:, None] == each
    shares: Floats = total / leaves.shape[1]
    return shares


def proximity_data(run: Run[Problem, VotingClassifier]) -> ProximityData:
    """Return the proximities of the training rows of a run.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import RandomForestClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 9.0, 1.0, 8.0], "c": list("xyxy")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> proximity_data(Run.of(problem, RandomForestClassifier(5, random_state=0))).rows.tolist()
    [1, 3, 2, 4]
    """
    check_trees(run.model)
    problem, y = run.problem, np.asarray(run.problem.training.y)
    n_all = len(y)
    sample = evenly(n_all, MAX_ROWS)
    sample = sample[np.argsort(y[sample], kind="stable")]
    matrix = proximities(run.fitted, problem.table(problem.X[problem.trained[sample]]))
    names = tuple(problem.classes[code] for code in y[sample])
    return ProximityData(problem.rows[problem.trained[sample]] + 1, names, matrix, n_all)


def proximity(run: Run[Problem, VotingClassifier]) -> go.Figure:
    """Draw the proximities of the training rows of a run."""
    return plot_proximity(proximity_data(run))


def plot_proximity(data: ProximityData) -> go.Figure:
    """Draw the proximities as a matrix, the rows class by class."""
    figure, n = go.Figure(), len(data.rows)
    labels = [
        f"row {row} ({plain(name)})" for row, name in zip(data.rows, data.classes, strict=True)
    ]
    figure.add_heatmap(
        z=data.proximity,
        zmin=0,
        zmax=1,
        colorscale="Blues",
        colorbar={"title": "share"},
        text=[[f"{a}, {b}" for b in labels] for a in labels],
        hovertemplate="%{text}<br>%{z:.0%} of the trees<extra></extra>",
    )
    starts = [i for i in range(n) if i == 0 or data.classes[i] != data.classes[i - 1]]
    middles = [(a + b - 1) / 2 for a, b in zip(starts, [*starts[1:], n], strict=True)]
    names = [plain(data.classes[i]) for i in starts]
    figure.update_yaxes(tickvals=middles, ticktext=names, autorange="reversed", automargin=True)
    figure.update_xaxes(tickvals=middles, ticktext=names, constrain="domain")
    between = "" if np.isnan(data.between) else f", of different classes in {percent(data.between)}"
    title = f"Two rows of one class share a leaf in {percent(data.within)} of the trees{between}."
    extent = "" if n == data.n_all else f" {n} of {data.n_all} training rows."
    note = (
        "Training rows, class by class; a row that is near rows of another class is atypical of"
        f" its own.{extent}"
    )
    return finish(figure, title, note, 480)
