"""What a scale does to methods that count distances, and to an outlier; what it may learn from."""

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
from dmlib.evenly import evenly
from dmlib.pictures.figures.style import MUTED, class_color, finish
from dmlib.pictures.run import Run
from dmlib.preprocessing.transformation.algorithm import METHODS, Rescaler

NEIGHBORS = 5
GROUPS = 3  # of k-means where there are no classes
MOST = 600  # rows of these figures
OUTLIER = 4.0  # ranges above the least value
HELD = 0.3  # of the rows, as a test set


def _rows(run: Run) -> tuple[Floats, Any]:
    problem = run.problem
    some = evenly(len(problem.X), MOST)
    return problem.X[some], problem.y[some] if problem.y is not None and problem.classes else None


def _scaler(run: Run) -> Rescaler:
    return clone(run.model) if isinstance(run.model, Rescaler) else Rescaler()


@dataclass(frozen=True)
class Effects:
    """What three methods make of a table before and after scaling.

    Attributes
    ----------
    places : list of ndarray of shape (n_samples, 2)
        Principal components, before and after.
    largest : list of float
        The largest weight of a column in the first component, squared: its share.
    clusters : list of ndarray of shape (n_samples,)
        Of k-means.
    agreement : list of float
        Adjusted Rand index of these with the classes; NaN without.
    errors : list of float
        Of the vote of five neighbours in cross-validation; NaN without classes.
    """

    places: list[Floats]
    largest: list[float]
    clusters: list[Any]
    agreement: list[float]
    errors: list[float]


def effects_data(run: Run) -> Effects:
    """Run the three methods on the rows as they are and as they are scaled."""
    X, y = _rows(run)
    tables = [X, _scaler(run).fit_transform(X)]
    found = Effects([], [], [], [], [])
    k = GROUPS if y is None else len(np.unique(y))
    for table in tables:
        components = PCA(min(2, *table.shape)).fit(table)
        places = components.transform(table)
        found.places.append(np.column_stack([places, np.zeros(len(places))])[:, :2])
        found.largest.append(float((components.components_[0] ** 2).max()))
        clusters = KMeans(
            min(k, len(np.unique(table, axis=0))), n_init=5, random_state=0
        ).fit_predict(table)
        found.clusters.append(clusters)
        found.agreement.append(
            float("nan") if y is None else float(adjusted_rand_score(y, clusters))
        )
        few = y is None or np.bincount(y)[np.unique(y)].min() < 2 or len(y) < 2 * NEIGHBORS
        found.errors.append(float("nan") if few else _vote(table, y))
    return found


def _vote(X: Floats, y: Any) -> float:
    folds = int(min(5, np.bincount(y)[np.unique(y)].min()))
    said = cross_val_predict(
        KNeighborsClassifier(min(NEIGHBORS, len(y) // 2)), X, y, cv=max(folds, 2)
    )
    return float((said != y).mean())


def effects(run: Run) -> go.Figure:
    """Draw principal components and k-means before and after scaling, with the errors of neighbours."""
    data = effects_data(run)
    _, y = _rows(run)
    titles = []
    for part, when in enumerate(("before", "after")):
        known = (
            f", error of {NEIGHBORS} neighbours {100 * data.errors[part]:.0f} %"
            if data.errors[part] >= 0
            else ""
        )
        titles.append(
            f"{when}: one column is {100 * data.largest[part]:.0f} % of component 1{known}"
        )
    for part in range(2):
        known = (
            f": Rand index {data.agreement[part]:.2f}"
            if data.agreement[part] == data.agreement[part]
            else ""
        )
        titles.append(f"k-means{known}")
    figure = make_subplots(
        2, 2, subplot_titles=titles, vertical_spacing=0.14, horizontal_spacing=0.08
    )
    for part in range(2):
        x, up = data.places[part].T
        for row, codes in (
            (1, y if y is not None else np.zeros(len(x), int)),
            (2, data.clusters[part]),
        ):
            color = [class_color(figure, int(code)) for code in codes]
            figure.add_scatter(
                x=x,
                y=up,
                mode="markers",
                marker={"color": color, "size": 4},
                hoverinfo="skip",
                row=row,
                col=part + 1,
            )
    figure.update_annotations(font_size=12)
    finish(
        figure,
        "The same rows before and after scaling, along two principal components.",
        "Above in their classes, below in the clusters of k-means.",
        620,
    )
    return figure.update_layout(showlegend=False)


def outlier_strips(run: Run) -> go.Figure:
    """Draw the first column with an outlier under every scale."""
    x = _rows(run)[0][:, 0]
    low, high = float(x.min()), float(x.max())
    far = low + OUTLIER * (high - low)
    figure = go.Figure()
    wobble = 0.5 * (np.arange(1, len(x) + 1) * 0.61803398875 % 1 - 0.5)
    shares = {}
    for i, (method, name) in enumerate(reversed(list(METHODS.items()))):
        try:
            alone, together = (
                Rescaler(method).fit(each[:, None]) for each in (x, np.append(x, far))
            )
        except ValueError:
            continue
        width = float(np.ptp(alone.transform(x[:, None]))) or 1.0
        z = together.transform(np.append(x, far)[:, None]).ravel()
        z = (z - z[:-1].min()) / width
        shares[name] = float(np.ptp(z[:-1]))
        hover = f"{name}<br>%{{x:.3f}}<extra></extra>"
        figure.add_scatter(
            x=z[:-1],
            y=i + wobble,
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
    figure.update_yaxes(tickvals=list(range(len(METHODS))), ticktext=list(METHODS.values())[::-1])
    figure.update_xaxes(title_text="1 is the width that the rows had without the outlier")
    least = min(shares, key=lambda name: shares[name])
    title = (
        f"With one outlier the rows keep {100 * shares[least]:.0f} % of their width under {least}."
    )
    finish(
        figure,
        title,
        f"{run.problem.features[0]}; the outlier is {OUTLIER:g} ranges above the minimum.",
        460,
    )
    return figure.update_layout(showlegend=False, margin_l=190)


def training_rows(run: Run) -> go.Figure:
    """Draw test rows on a scale that was learned from the training rows alone."""
    X, _ = _rows(run)
    scaler = _scaler(run)
    order = np.random.default_rng(run.seed).permutation(len(X))
    held = order[: max(1, int(HELD * len(X)))]
    train = np.setdiff1d(order, held)
    if len(train) < 2:
        raise ValueError("A test set needs at least 3 rows.")
    scaler.fit(X[train])
    learned, other = scaler.transform(X[train]), scaler.transform(X[held])
    figure = go.Figure()
    names = run.problem.features[:10][::-1]
    outside = (other < learned.min(axis=0)) | (other > learned.max(axis=0))
    for rows, name, code, shift in (
        (learned, "training rows", None, 0.16),
        (other, "test rows", 1, -0.16),
    ):
        x = rows[:, : len(names)][:, ::-1]
        y = np.broadcast_to(np.arange(len(names)) + shift, x.shape)
        color = MUTED if code is None else class_color(figure, code)
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
    title = (
        f"{int(outside.sum())} values of test rows lie outside the range of the training rows, as"
        " expected."
    )
    note = (
        f"The scaling is fitted to {len(train)} training rows, not from the {len(held)} test rows."
    )
    finish(figure, title, note, 120 + 34 * len(names))
    return figure.update_layout(
        showlegend=True, legend={"orientation": "h", "y": -0.2}, margin_l=190
    )
