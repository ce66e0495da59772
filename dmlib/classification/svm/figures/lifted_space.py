"""The feature space of the quadratic kernel in three dimensions, where the boundary is a plane."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from sklearn.base import clone

from dmlib.arrays import Floats
from dmlib.classification.kernels import polynomial_features
from dmlib.classification.svm.algorithm import SVC, NuSVC
from dmlib.pictures.figures.style import CLEAR, MUTED, SYMBOLS, finish, plain
from dmlib.pictures.run import Run
from dmlib.problem import Problem

MAX_COLUMNS = 30  # their space has 495 dimensions
SHEET = 21  # places along each side of the plane of the data that are lifted
MARGIN = 0.04  # around the rows, as a share of their range
FLAT = 1e-9  # share of the largest number below which rows do not vary in a direction
LEVELS = (-1.0, 0.0, 1.0)  # of the decision value: the edges of the margin and the boundary


@dataclass(frozen=True)
class LiftedData:
    """Rows and boundary in three directions of the feature space of the quadratic kernel."""

    places: Floats  # (n_rows, 3): the training rows
    decision: Floats  # (n_rows,): their decision values
    support: NDArray[np.bool_]  # (n_rows,): which of them are support vectors
    codes: NDArray[np.intp]  # (n_rows,): their classes
    rows: NDArray[np.intp]  # (n_rows,): their numbers in the table
    classes: tuple[str, ...]  # names of the classes
    # (SHEET, SHEET, 3): the lifted plane of the data; None of more than two columns
    sheet: Floats | None
    # (n_corners, 3): the part in view of each plane on which the decision value is -1, 0 and 1;
    # without corners if it is outside
    planes: tuple[Floats, ...]
    box: Floats  # (2, 3): the ends of each axis
    axes: tuple[str, str, str]  # the labels of the axes
    n_dimensions: int  # of the feature space
    instead: str  # the kernel that the quadratic one replaces; empty if the machine has this


def lifted_space_data(problem: Problem, model: Any) -> LiftedData:
    """Lift the training rows of two classes into the space of the quadratic kernel.

    Of two columns and without a constant, the space has three dimensions. A larger one is seen
    along the boundary: upwards is the distance to it, and across are the two directions of largest
    remaining variance. Instead of a fitted model with another kernel, the machine with the kernel
    "poly" of degree 2 and otherwise the same parameters is drawn.

    Raises
    ------
    ValueError
        If there are too many columns, or the constant of the kernel is negative.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import SVC
    >>> from dmlib.problem import prepare
    >>> places = {"a": [1.0, -1.0, 3.0, -3.0], "b": [1.0, -1.0, 2.0, 3.0]}
    >>> frame = pd.DataFrame({**places, "c": list("xxyy")})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> model = SVC(kernel="poly", degree=2, gamma=1.0).fit(problem.X, problem.y)
    >>> data = lifted_space_data(problem, model)
    >>> data.places.round(3).tolist()
    [[1.0, 1.0, 1.414], [1.0, 1.0, 1.414], [9.0, 4.0, 8.485], [9.0, 9.0, -12.728]]
    """
    training = problem.training
    n_columns = len(problem.features)
    if n_columns > MAX_COLUMNS:
        raise ValueError(
            f"The quadratic kernel of {n_columns} columns has too many dimensions to draw. "
            f"Choose at most {MAX_COLUMNS} columns."
        )
    instead = "" if (model.kernel, model.degree) == ("poly", 2) else _name(model)
    if instead:
        model = clone(model).set_params(kernel="poly", degree=2).fit(training.data, training.y)
    kernel = model.kernel_
    lifted = polynomial_features(training.X, kernel.gamma, kernel.coef0)
    w = model.dual_coef_[0] @ lifted[model.support_]
    b = float(model.intercept_[0])
    is_exact = n_columns == 2 and kernel.coef0 == 0
    axes = ("along it", "across that", "distance")
    frame = _directions(lifted, w)
    if is_exact:
        axes = _axes(problem, kernel.gamma)
        frame = np.eye(3)
    normal = frame @ w
    shift = np.zeros(3)
    if normal.any() and not is_exact:
        # The origin is moved to the boundary, so that upwards is the distance to it.
        shift = b * normal / (normal @ normal)
    sheet = None
    if problem.plane.exact and n_columns == 2:
        grid = polynomial_features(_grid(problem), kernel.gamma, kernel.coef0)
        sheet = (grid @ frame.T + shift).reshape(SHEET, SHEET, 3)
    places = lifted @ frame.T + shift
    low = places.min(axis=0)
    high = places.max(axis=0)
    margin = MARGIN * np.where(high > low, high - low, 1.0)
    box = np.array([low - margin, high + margin])
    return LiftedData(
        places=places,
        decision=lifted @ w + b,
        support=np.isin(np.arange(len(places)), model.support_),
        codes=np.asarray(training.y),
        rows=training.rows,
        classes=problem.classes,
        sheet=sheet,
        planes=tuple(_plane(normal, level - b + normal @ shift, box) for level in LEVELS),
        box=box,
        axes=axes,
        n_dimensions=lifted.shape[1] - (kernel.coef0 > 0),
        instead=instead,
    )


def _name(model: Any) -> str:
    return f"poly of degree {model.degree}" if model.kernel == "poly" else str(model.kernel)


def _axes(problem: Problem, gamma: float) -> tuple[str, str, str]:
    a, b = (plain(name) for name in problem.features)
    factor = "" if gamma == 1 else f"{gamma:.3g} "
    return f"{factor}{a}²", f"{factor}{b}²", f"{factor}√2 {a} · {b}"


def _grid(problem: Problem) -> Floats:
    """Return the rows at places of a grid over the data."""
    x, y = (np.linspace(column.min(), column.max(), SHEET) for column in problem.training.points.T)
    return problem.plane.lift_grid(x, y)


def _directions(lifted: Floats, w: Floats) -> Floats:
    """Return two orthonormal directions of largest variance, orthogonal to w, and that of w."""
    length = float(np.linalg.norm(w))
    up = w / length if length > 0 else np.zeros(len(w))
    centred = lifted - lifted.mean(axis=0)
    _, spread, directions = np.linalg.svd(centred - np.outer(centred @ up, up), full_matrices=False)
    across = np.zeros((2, len(w)))
    varying = directions[:2][spread[:2] > FLAT * np.abs(lifted).max()]
    across[: len(varying)] = varying
    return np.vstack([across, up])


def _plane(normal: Floats, level: float, box: Floats) -> Floats:
    """Return the corners, in order, of the plane ``normal @ u = level`` inside a box."""
    corners = np.array(list(product(*box.T)))
    heights = corners @ normal - level
    edges = np.array([(i, i | bit) for i in range(8) for bit in (1, 2, 4) if not i & bit])
    edges = edges[heights[edges].prod(axis=1) < 0]
    start, end = corners[edges[:, 0]], corners[edges[:, 1]]
    share = heights[edges[:, 0]] / -np.diff(heights[edges], axis=1)[:, 0]
    ends = start + share[:, None] * (end - start)
    if len(ends) < 3:
        return np.empty((0, 3))
    scaled = (ends - ends.mean(axis=0)) / (box[1] - box[0])
    _, _, axes = np.linalg.svd(scaled, full_matrices=False)
    angle = np.arctan2(scaled @ axes[1], scaled @ axes[0])
    inside: Floats = ends[np.argsort(angle)]
    return inside


def lifted_space(run: Run[Problem, SVC | NuSVC]) -> go.Figure:
    """Draw the rows in the space of their squares and products."""
    return plot_lifted_space(lifted_space_data(run.problem, run.fitted))


def plot_lifted_space(data: LiftedData) -> go.Figure:
    """Draw the rows, the curved sheet that they lie on, the flat boundary and its margin."""
    figure = go.Figure()
    for code, name in enumerate(data.classes):  # first, so that they get the colours of the classes
        of_class = data.codes == code
        x, y, z = data.places[of_class].T
        figure.add_scatter3d(
            x=x,
            y=y,
            z=z,
            mode="markers",
            name=plain(name),
            marker={
                "size": np.where(data.support[of_class], 7.0, 4.0),
                "symbol": SYMBOLS[code],
                "line": {"width": 0},
            },
            customdata=np.column_stack([data.rows[of_class] + 1, data.decision[of_class]]),
            hovertemplate=(
                f"row %{{customdata[0]}}: {plain(name)}<br>f "
                "= %{customdata[1]:.4g}<extra></extra>"
            ),
        )
    if data.sheet is not None:
        x, y, z = np.moveaxis(data.sheet, 2, 0)
        shade: dict[str, Any] = {"colorscale": [[0, MUTED], [1, MUTED]], "showscale": False}
        figure.add_surface(x=x, y=y, z=z, opacity=0.2, hoverinfo="skip", **shade)
    for level, corners in zip(LEVELS, data.planes, strict=True):
        if len(corners):
            figure.add_trace(_polygon(corners, 0.6 if level == 0 else 0.15))
    titles = {
        f"{letter}axis": {
            "title": {"text": text},
            "range": ends.tolist(),
            "showbackground": False,
            "gridcolor": MUTED,
            "zeroline": False,
            "nticks": 5,
        }
        for letter, text, ends in zip("xyz", data.axes, data.box.T, strict=True)
    }
    camera = {"eye": {"x": 1.6, "y": -1.6, "z": 0.65}, "center": {"x": 0, "y": 0, "z": -0.15}}
    scene = {"bgcolor": CLEAR, "aspectmode": "cube", "camera": camera, **titles}
    finish(figure, _title(data), _note(data), 430, scene=scene)
    return figure.update_layout(margin_l=8, margin_r=8, margin_b=16)  # so that it fits on a phone


def _polygon(corners: Floats, opacity: float) -> go.Mesh3d:
    x, y, z = corners.T
    after = np.arange(1, len(corners) - 1)
    return go.Mesh3d(
        x=x,
        y=y,
        z=z,
        i=np.zeros_like(after),
        j=after,
        k=after + 1,
        color=MUTED,
        opacity=opacity,
        hoverinfo="skip",
    )


def _title(data: LiftedData) -> str:
    n_wrong = int(((data.decision >= 0) != (data.codes == 1)).sum())
    kernel = "the quadratic kernel"
    if data.instead:
        kernel += f", instead of {data.instead},"
    errors = f"{n_wrong} of {len(data.codes)} rows are on the wrong side"
    return f"In the space of {kernel} the boundary is flat; {errors}."


def _note(data: LiftedData) -> str:
    notes = [
        "Flat: the boundary between the edges of its margin. Large: support vectors. Drag to turn."
    ]
    if data.sheet is not None:
        notes.insert(0, "Bent: the plane of the data.")
    if data.n_dimensions != 3:
        notes.insert(0, f"The space has {data.n_dimensions} dimensions; seen along the boundary.")
    if data.instead:
        reason = "cannot be drawn in three dimensions"
        if data.instead == "linear":
            reason = "is the plane itself"
        machine = "this is a machine with poly of degree 2"
        notes.insert(0, f"The kernel {data.instead} {reason}: {machine}.")
    return " ".join(notes)
