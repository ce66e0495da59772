"""Repetitions of an estimate, and leaks: sweeps of many models."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dmlib.evaluation.models import title_of
from dmlib.evaluation.resampling.base import Resampling
from dmlib.evaluation.resampling.figures.repetitions import Repetitions, repetitions
from dmlib.evaluation.resampling.leakage import Leakage, leakage
from dmlib.evaluation.resampling.splitting import METHOD_LABELS
from dmlib.evaluation.resampling.table_leakage import table_leakage
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem

N_REPETITIONS = 200
N_LEAKS = 20  # repetitions of each leak
N_TABLE_LEAKS = 5
LEAK_TASKS = 5 * N_LEAKS
TABLE_TASKS = 3 * N_TABLE_LEAKS


def repetitions_data(run: Run[Problem, Resampling], progress: object) -> tuple[str, Repetitions]:
    """Repeat the estimate of a run."""
    estimates = repetitions(
        run.model,
        run.problem,
        run.table_code,
        N_REPETITIONS,
        random_state=run.seed,
        progress=progress,
    )
    return METHOD_LABELS[run.model.scheme], estimates


def plot_repetitions(data: tuple[str, Repetitions]) -> go.Figure:
    """Draw the distributions of the estimate, the training error and the true error."""
    name, errors = data
    rows = {name: errors.estimates, "training error": errors.training}
    if len(errors.true):
        rows["true error"] = errors.true
    figure = go.Figure()
    for i, (label, values) in enumerate(rows.items()):
        shift = 0.36 * (np.arange(len(values)) * 0.61803398875 % 1 - 0.5)
        color = ACCENT if not i else MUTED
        figure.add_scatter(
            x=np.round(values, 5),
            y=i + shift,
            mode="markers",
            marker={
                "size": 6,
                "opacity": 0.5,
                "color": color,
                "symbol": ("circle", "square", "diamond")[i],
            },
            hovertemplate=f"{label} %{{x:.4g}}<extra></extra>",
        )
        mean = float(values.mean())
        figure.add_scatter(
            x=[mean, mean],
            y=[i - 0.35, i + 0.35],
            mode="lines",
            line={"width": 4, "color": color},
            hovertemplate=(
                f"{label}: mean {mean:.4g}, standard deviation"
                f" {values.std(ddof=1):.4g}<extra></extra>"
            ),
        )
    figure.update_yaxes(
        zeroline=False,
        tickvals=list(range(len(rows))),
        ticktext=list(rows),
        range=[len(rows) - 0.5, -0.5],
    )
    figure.update_xaxes(title_text="error")
    spread = errors.estimates.std(ddof=1)
    if len(errors.true):
        bias = errors.estimates.mean() - errors.true.mean()
        bias_text = f"{bias:+.3g}".replace("-", "−")
        title = (
            f"The estimate less the true error: {bias_text} on average; it scatters by"
            f" {spread:.3g}."
        )
        note = (
            "A dot is one repetition on new rows of the same generator; the true error is that of"
            " 2,000 fresh rows."
        )
    else:
        title = f"Other splits of the same rows: standard deviation {spread:.3g}."
        note = (
            "A dot is one repetition. The true error is known for generated data only: choose a"
            " generator."
        )
    finish(figure, title, note, 300)
    return figure.update_layout(margin={"l": 130})


def leakage_data(run: Run[Problem, Resampling], progress: object) -> Leakage:
    """Simulate the leaks."""
    return leakage(N_LEAKS, random_state=run.seed, progress=progress)


def table_leakage_data(run: Run[Problem, Resampling], progress: object) -> tuple[str, Leakage]:
    """Measure leaks of preparations on the table of a run."""
    X, y = run.problem.training.arguments
    errors = table_leakage(
        run.model.model,
        X,
        y,
        numbers=run.model.NUMBERS,
        n_repetitions=N_TABLE_LEAKS,
        random_state=run.seed,
        progress=progress,
    )
    return title_of(run.model.model), errors


def plot_leakage(data: Leakage) -> go.Figure:
    """Draw the errors with a leak and without one, beside the true error."""
    figure = _pairs(data)
    figure.add_vline(x=0.5, line={"dash": "dot", "width": 2, "color": MUTED})
    figure.update_xaxes(title_text="error rate by cross-validation", range=[-0.05, 0.8])
    title = (
        "Nothing can be learned, yet with columns selected first the error is"
        f" {data.leaking[2].mean():.2f}."
    )
    note = (
        "All classes are tossed with a coin, so the true error is 0.5 (dotted). Leaking: done"
        " before the split, with the test rows. Mean and standard deviation of 20 data sets."
    )
    return _finish_pairs(figure, title, note, 360)


def plot_table_leakage(data: tuple[str, Leakage]) -> go.Figure:
    """Draw the errors of a model on a table with and without leaks."""
    name, errors = data
    figure = _pairs(errors)
    figure.update_xaxes(title_text="error by five-fold cross-validation", rangemode="tozero")
    gaps = errors.honest.mean(axis=1) - errors.leaking.mean(axis=1)
    worst = int(gaps.argmax())
    title = (
        f"On this table {errors.names[worst]} before the split hides {max(gaps[worst], 0):.3g} of"
        f" the error ({name})."
    )
    note = (
        "Leaking: prepared with all rows before the split; honest: with the training rows of each"
        " fold. Where no value is missing, a fifth of the cells is emptied first. Mean and"
        f" standard deviation of {errors.leaking.shape[1]} repetitions."
    )
    return _finish_pairs(figure, title, note, 300)


def _pairs(data: Leakage) -> go.Figure:
    figure = go.Figure()
    rows = np.arange(len(data.names))
    kinds = (("leaking", data.leaking, "#d55e00", "x"), ("honest", data.honest, ACCENT, "circle"))
    for i, (label, values, color, symbol) in enumerate(kinds):
        y = rows - 0.14 + 0.28 * i
        figure.add_scatter(
            x=values.mean(axis=1),
            y=y,
            name=label,
            mode="markers",
            error_x={"array": values.std(axis=1), "color": color},
            marker={"size": 11, "color": color, "symbol": symbol},
            hovertemplate=f"{label}: mean %{{x:.3f}}<extra></extra>",
        )
    figure.update_yaxes(
        zeroline=False, tickvals=rows, ticktext=list(data.names), range=[len(rows) - 0.5, -0.5]
    )
    return figure


def _finish_pairs(figure: go.Figure, title: str, note: str, height: int) -> go.Figure:
    finish(figure, title, note, height)
    return figure.update_layout(
        showlegend=True, margin={"l": 150, "b": 80}, legend={"orientation": "h", "y": -0.25}
    )
