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
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem

GRIDS = {"C": np.logspace(-2, 3, 11), "nu": np.linspace(0.1, 0.9, 9)}
GAMMAS = np.logspace(-2, 2, 9)  # in units of "scale"
NAMES = {"C": "C", "nu": "ν", "gamma": "γ"}
FOLDS = 5
MOST_ROWS = 300  # that are trained on; of more rows as many are drawn
MOST_MOVES = 20_000


@dataclass(frozen=True)
class Sweep:
    """Machines for many values of one parameter."""

    parameter: str  # {"C", "nu", "gamma"}: its name
    values: Floats  # (n_values,): its values, with the one in use among them
    current: float  # the one in use
    # (n_values,): the error on the training rows, in cross-validation, and on those held out; NaN
    # where there is none
    training: Floats
    validation: Floats
    test: Floats
    support: Floats  # (n_values,): the share of rows that are support vectors

    @property
    def best(self) -> float | None:
        """The value with the least error in cross-validation; of equal ones the smoothest machine's."""
        if np.isnan(self.validation).all():
            return None
        least = np.flatnonzero(self.validation <= np.nanmin(self.validation) + 1e-12)
        return float(self.values[least[-1 if self.parameter == "nu" else 0]])


@dataclass(frozen=True)
class SvmSweepData:
    """The sweeps over C or nu, and over gamma if the kernel has it; trained on ``n_rows`` rows of ``n_all``."""

    sweeps: tuple[Sweep, ...]
    n_rows: int
    n_all: int


def svm_sweep_data(problem: Problem, model: Any, random_state: int = 0) -> SvmSweepData:
    """Train the fitted ``model``, with its other parameters, for many C, or nu, and for many gamma.

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
    X, y, n_all = *_some(problem.training, random_state), len(problem.training.X)
    held = problem.testing
    folds = _folds(X, y, random_state)
    names = [
        "nu" if hasattr(model, "nu") else "C",
        *(["gamma"] if model.kernel != "linear" else []),
    ]
    sweeps = []
    for name in names:
        current = float(model.kernel_.gamma if name == "gamma" else getattr(model, name))
        grid = GAMMAS / (X.shape[1] * (X.var() or 1.0)) if name == "gamma" else GRIDS[name]
        values = np.unique(np.append(grid, current if np.isfinite(current) and current > 0 else []))
        errors = [
            _errors(_library(model).set_params(**{name: float(v)}), X, y, folds, held)
            for v in values
        ]
        training, validation, test, support = np.array(errors).T
        sweeps.append(Sweep(name, values, current, training, validation, test, support))
    return SvmSweepData(tuple(sweeps), len(X), n_all)


def _some(learned: Problem, random_state: int) -> tuple[Floats, NDArray[np.intp]]:
    """Return the rows and their classes; of very many a part, with the same shares of the classes."""
    y = np.asarray(learned.y)
    if len(y) <= MOST_ROWS:
        return learned.X, y
    share = {"train_size": MOST_ROWS, "random_state": random_state}
    few = np.bincount(y).min() < 2
    part, _ = train_test_split(np.arange(len(y)), stratify=None if few else y, **share)
    part.sort()
    return learned.X[part], y[part]


def _folds(X: Floats, y: NDArray[np.intp], random_state: int) -> Sequence[tuple[Any, Any]]:
    n = min(FOLDS, int(np.bincount(y, minlength=2).min()))
    if n < 2:
        return ()
    return tuple(StratifiedKFold(n, shuffle=True, random_state=random_state).split(X, y))


def _library(model: Any) -> Any:
    """Return scikit-learn's model with the same parameters: its compiled solver trains a hundred of them at once."""
    prices = {"nu": model.nu} if hasattr(model, "nu") else {"C": model.C}
    shared = {name: getattr(model, name) for name in ("kernel", "degree", "gamma", "coef0", "tol")}
    return (svm.NuSVC if "nu" in prices else svm.SVC)(**prices, **shared, max_iter=MOST_MOVES)


def _errors(
    model: Any, X: Floats, y: NDArray[np.intp], folds: Sequence[Any], held: Problem | None
) -> tuple[float, ...]:
    """Return training, validation and test error and the share of support vectors; NaN where there is no machine."""
    try:
        with catch_warnings():
            simplefilter(
                "ignore", ConvergenceWarning
            )  # a machine that is not quite trained has nearly its errors
            whole = model.fit(X, y)
            training, support = _error(whole, X, y), len(whole.support_) / len(X)
            test = np.nan if held is None else _error(whole, held.X, np.asarray(held.y))
            wrong = sum(_error(model.fit(X[a], y[a]), X[b], y[b]) * len(b) for a, b in folds)
    except ValueError:  # nu is too large for the smaller class, or numbers too large for the kernel
        return np.nan, np.nan, np.nan, np.nan
    return training, wrong / len(X) if folds else np.nan, test, support


def _error(model: Any, X: Floats, y: NDArray[np.intp]) -> float:
    return float((model.predict(X) != y).mean())


def svm_sweep(run: Run) -> go.Figure:
    """Draw the errors against the parameters."""
    return plot_svm_sweep(svm_sweep_data(run.problem, run.fitted, run.seed))


def plot_svm_sweep(data: SvmSweepData) -> go.Figure:
    """Draw the errors and the share of support vectors over each parameter."""
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
    told = [
        f"{NAMES[sweep.parameter]} = {sweep.best:.3g}"
        for sweep in data.sweeps
        if sweep.best is not None
    ]
    if not told:
        return "There are too few rows of a class to hold some out."
    return (
        "In cross-validation, the error is smallest at "
        f"{' and, with that as it is now, at '.join(told)}."
    )


def _note(data: SvmSweepData) -> str:
    drawn = (
        f" {data.n_rows} of {data.n_all} rows, drawn at random." if data.n_rows < data.n_all else ""
    )
    return (
        "Errors: grey training, blue dashed cross-validation, blue test. Grey "
        f"dotted: share of support vectors. Vertical: current value.{drawn}"
    )
