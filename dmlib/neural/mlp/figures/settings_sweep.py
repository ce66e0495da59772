"""The error of a network against its units, its learning rate and its weight decay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots
from sklearn.base import clone, is_classifier
from sklearn.model_selection import KFold

from dmlib import engine
from dmlib.arrays import Floats
from dmlib.evenly import evenly
from dmlib.neural.mlp.algorithm import MLPClassifier
from dmlib.neural.mlp.regressor import MLPRegressor
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem

GRIDS: dict[str, tuple[float, ...]] = {
    "units": (1, 2, 4, 8, 16, 32),
    "learning_rate": (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0),
    "alpha": (0.001, 0.01, 0.1, 1.0, 10.0),
}
NAMES = {
    "units": "units of each hidden layer",
    "learning_rate": "learning rate η",
    "alpha": "weight decay α",
}
TASKS = tuple((name, value) for name, grid in GRIDS.items() for value in grid)
FOLDS = 3
MAX_ROWS = 300


@dataclass(frozen=True, eq=False)
class SettingsSweep:
    """Errors of networks that differ in one setting each."""

    training: dict[str, Floats]  # for each setting the error of the training rows
    validation: dict[str, Floats]  # and in cross-validation; NaN where the weights grew too large
    is_share: bool  # whether errors are fractions of rows, and no root mean squares
    n_rows: int


@dataclass(frozen=True, eq=False)
class _Task:
    model: MLPClassifier | MLPRegressor
    X: Floats
    y: NDArray[Any]
    folds: list[tuple[NDArray[np.intp], NDArray[np.intp]]]

    def __call__(self, setting: tuple[str, float]) -> tuple[float, float]:
        """Return the mean error of the training rows and of the others, over the folds."""
        name, value = setting
        params: dict[str, Any] = {name: value}
        if name == "units":
            n_layers = max(1, len(self.model.hidden_layer_sizes))
            params = {"hidden_layer_sizes": (int(value),) * n_layers}
        errors = []
        for train, test in self.folds:
            network = clone(self.model).set_params(init="glorot", **params)
            with catch_warnings():
                simplefilter("ignore")  # weights that grow without bound are no number below
                try:
                    network.fit(self.X[train], self.y[train])
                except ValueError:  # a fold may lack a class
                    return np.nan, np.nan
            errors.append([self._error(network, rows) for rows in (train, test)])
        training, validation = np.mean(errors, axis=0)
        return float(training), float(validation)

    def _error(self, network: MLPClassifier | MLPRegressor, rows: NDArray[np.intp]) -> float:
        if not network.converged_:
            return np.nan
        predicted = network.predict(self.X[rows])
        if is_classifier(network):
            return float((predicted != self.y[rows]).mean())
        return float(np.sqrt(((predicted - self.y[rows]) ** 2).mean()))


def sweep_data(
    run: Run[Problem, MLPClassifier | MLPRegressor], progress: Callable[[Any], None]
) -> SettingsSweep:
    """Train networks that differ from the one of the run in one setting, in three folds.

    Raises
    ------
    ValueError
        If there are fewer than three training rows, or the network finds its units by itself.
    """
    training = run.problem.training
    if "hidden_layer_sizes" not in run.model.get_params():
        raise ValueError(
            "This figure is of networks whose layers are given. Choose the method Classification."
        )
    if len(training.X) < FOLDS:
        raise ValueError(f"{FOLDS} folds need {FOLDS} training rows or more. Hold fewer rows out.")
    rows = evenly(len(training.X), MAX_ROWS)
    X, y = training.X[rows], np.asarray(training.y)[rows]
    folds = KFold(FOLDS, shuffle=True, random_state=run.seed).split(X)
    model = clone(run.model).set_params(random_state=run.seed)
    task = _Task(model, X, y, list(folds))
    errors = np.array(list(engine.map(task, TASKS, progress=progress)))
    parts = np.split(errors.T, np.cumsum([len(grid) for grid in GRIDS.values()])[:-1], axis=1)
    return SettingsSweep(
        {name: part[0] for name, part in zip(GRIDS, parts, strict=True)},
        {name: part[1] for name, part in zip(GRIDS, parts, strict=True)},
        is_classifier(model),
        len(X),
    )


def plot_sweep(data: SettingsSweep) -> go.Figure:
    """Draw both errors against each setting."""
    figure = make_subplots(rows=len(GRIDS), cols=1, vertical_spacing=0.14)
    for row, (name, grid) in enumerate(GRIDS.items(), start=1):
        lines = (
            ("training", data.training[name], MUTED),
            ("new rows", data.validation[name], ACCENT),
        )
        for label, errors, color in lines:
            figure.add_scatter(
                x=grid,
                y=errors,
                mode="lines+markers",
                line={"color": color, "width": 2},
                hovertemplate=f"{label}: %{{y:.3g}} at %{{x:g}}<extra></extra>",
                row=row,
                col=1,
            )
        figure.update_xaxes(
            title_text=NAMES[name], type="log", tickvals=grid, showgrid=False, row=row, col=1
        )
    figure.update_yaxes(
        title_text="error" if data.is_share else "RMSE",
        tickformat=".0%" if data.is_share else None,
        type="linear" if data.is_share else "log",
        rangemode="tozero",
    )
    return finish(figure, _title(data), _note(data), 660)


def _title(data: SettingsSweep) -> str:
    best = [
        f"{grid[int(np.nanargmin(data.validation[name]))]:g} ({NAMES[name]})"
        for name, grid in GRIDS.items()
        if np.isfinite(data.validation[name]).any()
    ]
    if not best:
        return "No network was trained: scale the columns, and take more rows."
    return f"On new rows the error is smallest at {', '.join(best)}, one setting at a time."


def _note(data: SettingsSweep) -> str:
    return (
        f"{FOLDS} folds of {data.n_rows} training rows. Grey: training rows, blue: rows held out."
        " A gap: the weights grew without bound. The other settings stay as they are."
    )
