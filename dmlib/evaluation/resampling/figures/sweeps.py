"""Two hundred repetitions beside the true error, and leaks: each a sweep of many models."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dmlib.evaluation.models import spoken
from dmlib.evaluation.resampling.figures.repetitions import Repetitions, repetitions
from dmlib.evaluation.resampling.leakage import Leakage, leakage
from dmlib.evaluation.resampling.splitting import SPOKEN
from dmlib.evaluation.resampling.table_leakage import table_leakage
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run

REPEATED, LEAKS, TABLE_LEAKS = 200, 20, 5
WAYS, TABLE_TASKS = 5, 3 * TABLE_LEAKS


def repetitions_data(run: Run, progress: object) -> tuple[str, Repetitions]:
    """Repeat the estimate of a run."""
    found = repetitions(
        run.model, run.problem, run.table_code, REPEATED, random_state=run.seed, progress=progress
    )
    return SPOKEN[run.model.scheme], found


def plot_repetitions(data: tuple[str, Repetitions]) -> go.Figure:
    """Draw the distributions of the estimate, the training error and the true error, with their means."""
    name, found = data
    rows = {name: found.estimates, "training error": found.training}
    if len(found.true):
        rows["true error"] = found.true
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
    spread = found.estimates.std(ddof=1)
    if len(found.true):
        bias = found.estimates.mean() - found.true.mean()
        title = (
            f"The estimate less the true error: {bias:+.3g} on average; it scatters by"
            f" {spread:.3g}."
        )
        title = title.replace("-", "−")
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


def leakage_data(run: Run, progress: object) -> Leakage:
    """Simulate the leaks."""
    return leakage(LEAKS, random_state=run.seed, progress=progress)


def table_leakage_data(run: Run, progress: object) -> tuple[str, Leakage]:
    """Let preparations leak on the table of a run."""
    X, y = run.problem.training.arguments
    found = table_leakage(
        run.model.model,
        X,
        y,
        numbers=run.model.NUMBERS,
        n_repetitions=TABLE_LEAKS,
        random_state=run.seed,
        progress=progress,
    )
    return spoken(run.model.model), found


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
    return _finished(figure, title, note, 360)


def plot_table_leakage(data: tuple[str, Leakage]) -> go.Figure:
    """Draw what a model on a table owes to leaks."""
    name, found = data
    figure = _pairs(found)
    figure.update_xaxes(title_text="error by five-fold cross-validation", rangemode="tozero")
    gap = found.honest.mean(axis=1) - found.leaking.mean(axis=1)
    most = int(gap.argmax())
    title = (
        f"On this table {found.names[most]} before the split hides {max(gap[most], 0):.3g} of the"
        f" error ({name})."
    )
    note = (
        "Leaking: prepared with all rows before the split; honest: with the training rows of each"
        " fold. Where no value is missing, a fifth of the cells is emptied first. Mean and"
        f" standard deviation of {found.leaking.shape[1]} repetitions."
    )
    return _finished(figure, title, note, 300)


def _pairs(data: Leakage) -> go.Figure:
    figure, rows = go.Figure(), np.arange(len(data.names))
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


def _finished(figure: go.Figure, title: str, note: str, height: int) -> go.Figure:
    finish(figure, title, note, height)
    return figure.update_layout(
        showlegend=True, margin={"l": 150, "b": 80}, legend={"orientation": "h", "y": -0.25}
    )
