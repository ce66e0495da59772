"""The error of a support vector machine against C, or nu, and against gamma."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots
from sklearn import svm
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold, train_test_split

from dmlib.arrays import Floats
from dmlib.classification.svm.algorithm import SVC, NuSVC
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem

GRIDS = {"C": np.logspace(-2, 3, 11), "nu": np.linspace(0.1, 0.9, 9)}
GAMMAS = np.logspace(-2, 2, 9)  # in units of "scale"
NAMES = {"C": "C", "nu": "ν", "gamma": "γ"}
FOLDS = 5
MAX_ROWS = 300  # of more training rows, as many are sampled
MAX_MOVES = 20_000


@dataclass(frozen=True)
class Sweep:
    """Machines for many values of one parameter."""

    parameter: str  # {"C", "nu", "gamma"}: its name
    values: Floats  # (n_values,): its values, with the one in use among them
    current: float  # the one in use
    # (n_values,): the training, cross-validation and test error; NaN where there is none
    training: Floats
    validation: Floats
    test: Floats
    support: Floats  # (n_values,): the share of rows that are support vectors

    @property
    def best(self) -> float | None:
        """The value with the smallest error in cross-validation; of equal ones the smoothest."""
        if np.isnan(self.validation).all():
            return None
        best = self.values[self.validation <= np.nanmin(self.validation) + 1e-12]
        return float(best[-1 if self.parameter == "nu" else 0])


@dataclass(frozen=True)
class SvmSweepData:
    """The sweeps over C or nu, and over gamma if the kernel has it."""

    sweeps: tuple[Sweep, ...]
    n_rows: int  # the rows that are trained on
    n_all: int  # all training rows


def svm_sweep_data(problem: Problem, model: SVC | NuSVC, random_state: int = 0) -> SvmSweepData:
    """Train a model for many C, or nu, and for many gamma.

    Each parameter is varied while the other stays as it is. ``random_state`` is the seed of the
    folds, and of the draw from more than 300 rows.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import SVC
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 7.0, 8.0, 9.0], "c": list("xxxyyy")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> data = svm_sweep_data(problem, SVC(kernel="linear").fit(problem.X, problem.y))
    >>> data.sweeps[0].parameter, data.sweeps[0].validation[-1]
    ('C', np.float64(0.0))
    """
    X, y = _sample(problem.training, random_state)
    folds = _folds(X, y, random_state)
    name = "nu" if isinstance(model, NuSVC) else "C"
    grids = {name: (GRIDS[name], float(getattr(model, name)))}
    if model.kernel_ is not None and model.kernel != "linear":
        scale = 1 / (X.shape[1] * (X.var() or 1.0))
        grids["gamma"] = GAMMAS * scale, float(model.kernel_.gamma)
    sweeps = []
    for parameter, (grid, current) in grids.items():
        values = np.unique([*grid, current]) if 0 < current < np.inf else grid
        machines = [_library(model).set_params(**{parameter: float(v)}) for v in values]
        errors = [_errors(machine, X, y, folds, problem.testing) for machine in machines]
        sweeps.append(Sweep(parameter, values, current, *np.array(errors).T))
    return SvmSweepData(tuple(sweeps), len(X), len(problem.training.X))


def _sample(training: Problem, random_state: int) -> tuple[Floats, NDArray[np.intp]]:
    """Return the rows and their classes; of very many a stratified sample."""
    y = np.asarray(training.y)
    if len(y) <= MAX_ROWS:
        return training.X, y
    strata = y if np.bincount(y).min() > 1 else None
    rows, _ = train_test_split(
        np.arange(len(y)), stratify=strata, train_size=MAX_ROWS, random_state=random_state
    )
    rows.sort()
    return training.X[rows], y[rows]


def _folds(X: Floats, y: NDArray[np.intp], random_state: int) -> Sequence[tuple[Any, Any]]:
    n = min(FOLDS, int(np.bincount(y, minlength=2).min()))
    if n < 2:
        return ()
    return tuple(StratifiedKFold(n, shuffle=True, random_state=random_state).split(X, y))


def _library(model: SVC | NuSVC) -> Any:
    """Return scikit-learn's model with the same parameters, whose compiled solver is faster."""
    names = ("kernel", "degree", "gamma", "coef0", "tol")
    params = {name: getattr(model, name) for name in names}
    if isinstance(model, NuSVC):
        return svm.NuSVC(nu=model.nu, **params, max_iter=MAX_MOVES)
    return svm.SVC(C=model.C, **params, max_iter=MAX_MOVES)


def _errors(
    model: SVC | NuSVC,
    X: Floats,
    y: NDArray[np.intp],
    folds: Sequence[Any],
    testing: Problem | None,
) -> tuple[float, ...]:
    """Return training, validation and test error and the share of support vectors, or NaN."""
    validation = test = np.nan
    try:
        with catch_warnings():
            # A machine that is not quite trained has nearly its errors.
            simplefilter("ignore", ConvergenceWarning)
            model.fit(X, y)
            training = _error(model, X, y)
            support = len(model.support_) / len(X)
            if testing is not None:
                test = _error(model, testing.X, np.asarray(testing.y))
            if folds:
                errors = [_error(model.fit(X[a], y[a]), X[b], y[b]) * len(b) for a, b in folds]
                validation = sum(errors) / len(X)
    except ValueError:  # nu is too large for the smaller class, or numbers too large for the kernel
        return np.nan, np.nan, np.nan, np.nan
    return training, validation, test, support


def _error(model: SVC | NuSVC, X: Floats, y: NDArray[np.intp]) -> float:
    return float((model.predict(X) != y).mean())


def svm_sweep(run: Run[Problem, SVC | NuSVC]) -> go.Figure:
    """Draw the errors against the parameters."""
    return plot_svm_sweep(svm_sweep_data(run.problem, run.fitted, run.seed))


def plot_svm_sweep(data: SvmSweepData) -> go.Figure:
    """Draw the errors and the share of support vectors against each parameter."""
    figure = make_subplots(rows=len(data.sweeps), cols=1, vertical_spacing=0.24)
    for row, sweep in enumerate(data.sweeps, start=1):
        name = NAMES[sweep.parameter]
        curves = (
            ("support vectors", sweep.support, MUTED, "dot", 2),
            ("training", sweep.training, MUTED, "solid", 2),
            ("cross-validation", sweep.validation, ACCENT, "dash", 2),
            ("test", sweep.test, ACCENT, "solid", 3),
        )
        for label, values, color, dash, width in curves:
            if np.isfinite(values).any():
                figure.add_scatter(
                    x=sweep.values,
                    y=values,
                    mode="lines+markers",
                    line={"color": color, "dash": dash, "width": width},
                    marker={"size": 5, "color": color},
                    row=row,
                    col=1,
                    hovertemplate=f"{name} = %{{x:.3g}}<br>{label} %{{y:.1%}}<extra></extra>",
                )
        if np.isfinite(sweep.current) and sweep.current > 0:
            figure.add_vline(
                x=sweep.current, line={"dash": "dot", "width": 2, "color": MUTED}, row=row, col=1
            )
        log = {"type": "log", "exponentformat": "power"} if sweep.parameter != "nu" else {}
        figure.update_xaxes(title_text=name, showgrid=False, row=row, col=1, **log)
    figure.update_yaxes(title_text="fraction of rows", tickformat=".0%", rangemode="tozero")
    return finish(figure, _title(data), _note(data), 260 * len(data.sweeps) + 20)


def _title(data: SvmSweepData) -> str:
    optima = [
        f"{NAMES[sweep.parameter]} = {sweep.best:.3g}"
        for sweep in data.sweeps
        if sweep.best is not None
    ]
    if not optima:
        return "There are too few rows of a class to hold some out."
    return (
        "In cross-validation, the error is smallest at "
        f"{' and, with that as it is now, at '.join(optima)}."
    )


def _note(data: SvmSweepData) -> str:
    note = (
        "Errors: grey training, blue dashed cross-validation, blue test. Grey "
        "dotted: share of support vectors. Vertical: current value."
    )
    if data.n_rows < data.n_all:
        note += f" {data.n_rows} of {data.n_all} rows, drawn at random."
    return note
