"""The effect of scaling on distance-based methods and on an outlier, and its training rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import cross_val_predict
from sklearn.neighbors import KNeighborsClassifier

from dmlib.arrays import Floats
from dmlib.evenly import evenly, jitter
from dmlib.pictures.figures.style import MUTED, class_color, finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.preprocessing.transformation.algorithm import METHODS, Rescaler
from dmlib.preprocessing.transformation.functions import FUNCTIONS
from dmlib.problem import Problem

NEIGHBORS = 5
GROUPS = 3  # of k-means where there are no classes
MAX_ROWS = 600  # of these figures
OUTLIER = 4.0  # ranges above the smallest value
TEST_SHARE = 0.3  # of the rows
SCALES = {name: title for name, title in METHODS.items() if name not in ("range", *FUNCTIONS)}
"""The scales under which an outlier is drawn: functions would leave the others no place."""


def _rows(run: Run[Problem, Any]) -> tuple[Floats, Any]:
    problem = run.problem
    rows = evenly(len(problem.X), MAX_ROWS)
    y = problem.y if problem.classes else None
    return problem.X[rows], None if y is None else y[rows]


def _scaler(run: Run[Problem, Any]) -> Rescaler:
    return clone(run.model) if isinstance(run.model, Rescaler) else Rescaler()


@dataclass(frozen=True)
class Effect:
    """Results of three methods on a table."""

    places: Floats  # (n_samples, 2): principal components
    largest_share: float  # of a column in the first component: its squared weight
    clusters: Any  # (n_samples,): of k-means
    rand_index: float  # adjusted, of clusters and classes; NaN without classes
    error: float  # of five neighbours in cross-validation; NaN without classes


def effects_data(run: Run[Problem, Any]) -> tuple[Effect, Effect]:
    """Run the three methods on the rows before and after scaling."""
    X, y = _rows(run)
    return _effect(X, y), _effect(_scaler(run).fit_transform(X), y)


def _effect(X: Floats, y: Any) -> Effect:
    pca = PCA(min(2, *X.shape)).fit(X)
    places = np.column_stack([pca.transform(X), np.zeros(len(X))])[:, :2]
    k = GROUPS if y is None else len(np.unique(y))
    n_clusters = min(k, len(np.unique(X, axis=0)))
    clusters = KMeans(n_clusters, n_init=5, random_state=0).fit_predict(X)
    rand_index = float("nan") if y is None else float(adjusted_rand_score(y, clusters))
    largest_share = float((pca.components_[0] ** 2).max())
    return Effect(places, largest_share, clusters, rand_index, _error_of_neighbors(X, y))


def _error_of_neighbors(X: Floats, y: Any) -> float:
    smallest_class = 0 if y is None else int(np.bincount(y)[np.unique(y)].min())
    if smallest_class < 2 or len(X) < 2 * NEIGHBORS:
        return float("nan")
    classifier = KNeighborsClassifier(NEIGHBORS)
    predicted = cross_val_predict(classifier, X, y, cv=min(5, smallest_class))
    return float((predicted != y).mean())


def effects(run: Run[Problem, Any]) -> go.Figure:
    """Draw principal components and k-means before and after scaling."""
    data = effects_data(run)
    _, y = _rows(run)
    titles = [_components_title(name, data[i]) for i, name in enumerate(("before", "after"))]
    titles += [_clusters_title(effect) for effect in data]
    figure = make_subplots(
        2, 2, subplot_titles=titles, vertical_spacing=0.14, horizontal_spacing=0.08
    )
    for column, effect in enumerate(data, start=1):
        x, up = effect.places.T
        classes = np.zeros(len(x), int) if y is None else y
        for row, codes in enumerate((classes, effect.clusters), start=1):
            color = [class_color(figure, int(code)) for code in codes]
            figure.add_scatter(
                x=x,
                y=up,
                mode="markers",
                marker={"color": color, "size": 4},
                hoverinfo="skip",
                row=row,
                col=column,
            )
    figure.update_annotations(font_size=12)
    title = "The same rows before and after scaling, along two principal components."
    finish(figure, title, "Above in their classes, below in the clusters of k-means.", 620)
    return figure.update_layout(showlegend=False)


def _components_title(name: str, effect: Effect) -> str:
    title = f"{name}: one column is {percent(effect.largest_share)} of component 1"
    if not np.isnan(effect.error):
        title += f", error of {NEIGHBORS} neighbours {percent(effect.error)}"
    return title


def _clusters_title(effect: Effect) -> str:
    if np.isnan(effect.rand_index):
        return "k-means"
    return f"k-means: Rand index {effect.rand_index:.2f}"


def outlier_strips(run: Run[Problem, Any]) -> go.Figure:
    """Draw the first column with an outlier under every scale."""
    x = _rows(run)[0][:, 0]
    low, high = float(x.min()), float(x.max())
    with_outlier = np.append(x, low + OUTLIER * (high - low))
    figure = go.Figure()
    shares = {}
    for i, (method, name) in enumerate(reversed(list(SCALES.items()))):
        try:
            width = float(np.ptp(Rescaler(method).fit_transform(x[:, None]))) or 1.0
            z = Rescaler(method).fit_transform(with_outlier[:, None]).ravel()
        except ValueError:
            continue
        z = (z - z[:-1].min()) / width
        shares[name] = float(np.ptp(z[:-1]))
        hover = f"{name}<br>%{{x:.3f}}<extra></extra>"
        figure.add_scatter(
            x=z[:-1],
            y=i + jitter(len(x), 0.5),
            mode="markers",
            marker={"size": 3, "color": class_color(figure, 0)},
            hovertemplate=hover,
        )
        figure.add_scatter(
            x=z[-1:],
            y=[i],
            mode="markers",
            marker={"size": 9, "color": class_color(figure, 1)},
            hovertemplate=hover,
        )
    figure.update_yaxes(tickvals=list(range(len(SCALES))), ticktext=list(SCALES.values())[::-1])
    figure.update_xaxes(title_text="1 is the width that the rows had without the outlier")
    worst = min(shares, key=lambda name: shares[name])
    share = f"{percent(shares[worst])} of their width"
    title = f"With one outlier the rows keep {share} under {worst}."
    note = f"{run.problem.features[0]}; the outlier is {OUTLIER:g} ranges above the minimum."
    finish(figure, title, note, 460)
    return figure.update_layout(showlegend=False, margin_l=190)


def training_rows(run: Run[Problem, Any]) -> go.Figure:
    """Draw test rows on a scale that is fitted to the training rows alone."""
    X, _ = _rows(run)
    scaler = _scaler(run)
    order = np.random.default_rng(run.seed).permutation(len(X))
    test = order[: max(1, int(TEST_SHARE * len(X)))]
    train = np.setdiff1d(order, test)
    if len(train) < 2:
        raise ValueError("A test set needs at least 3 rows.")
    scaler.fit(X[train])
    train_rows, test_rows = scaler.transform(X[train]), scaler.transform(X[test])
    outside = (test_rows < train_rows.min(axis=0)) | (test_rows > train_rows.max(axis=0))
    figure = go.Figure()
    names = run.problem.features[:10][::-1]
    test_color = class_color(figure, 1)
    for rows, name, color, shift in (
        (train_rows, "training rows", MUTED, 0.16),
        (test_rows, "test rows", test_color, -0.16),
    ):
        x = rows[:, : len(names)][:, ::-1]
        y = np.broadcast_to(np.arange(len(names)) + shift, x.shape)
        figure.add_scatter(
            x=x.ravel(),
            y=y.ravel(),
            mode="markers",
            name=name,
            marker={"size": 4, "color": color},
            hovertemplate="%{x:.4g}<extra></extra>",
        )
    figure.update_yaxes(tickvals=list(range(len(names))), ticktext=list(names))
    figure.update_xaxes(title_text="scaled value")
    values = f"{int(outside.sum())} values of test rows"
    title = f"{values} lie outside the range of the training rows, as expected."
    note = f"The scaling is fitted to {len(train)} training rows, not to the {len(test)} test rows."
    finish(figure, title, note, 120 + 34 * len(names))
    legend = {"orientation": "h", "y": -0.2}
    return figure.update_layout(showlegend=True, legend=legend, margin_l=190)
