"""Results of a run for the rows of its data: all rows of a table, with the settings in a note."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sklearn.base import TransformerMixin

import dmlib
from dashboard.view import View
from dmlib.datasets import Table
from dmlib.outputs import (
    fitted_columns,
    has_outputs,
    joined,
    model_json,
    model_python,
    model_rules,
    network_bif,
    predicted_columns,
    sample_outputs,
    with_outputs,
)
from dmlib.pictures.run import AnyRun
from dmlib.problem import HasClasses, NetworkProblem, Problem

if TYPE_CHECKING:
    import pandas as pd

CHANGED = " (prepared)"
"""Behind the name of a column whose values a page prepares."""


@dataclass(frozen=True)
class Outputs:
    """A table with results."""

    frame: pd.DataFrame  # the rows of the data, and the results as their last columns
    sentence: str  # which rows have results
    settings: dict[str, str]  # what they were made with


def offers_outputs(view: View) -> bool:
    """Return whether the rows of a page get something."""
    if view.run is None:
        return False
    is_prepared = view.technique.prepared is not None and isinstance(view.data.table, Table)
    return is_prepared or has_outputs(view.run.fitted)


def outputs(view: View) -> Outputs:
    """Return the data of a page with what its run says of each row.

    Parameters
    ----------
    view : View
        With a run.

    Returns
    -------
    Outputs

    Raises
    ------
    ValueError
        If the run says nothing of these rows, or a method refuses the new ones.
    """
    run, data = view.run, view.data
    assert run is not None
    table = data.table
    if isinstance(table, Table) and isinstance(run.problem, Problem):
        frame, sentence = _of_table(view, run, table)
    else:
        frame, sentence = sample_table(view), ""
    return Outputs(frame, sentence, settings_of(view, sentence))


def prepared_table(view: View) -> Outputs:
    """Return the table that a page hands on, as its run prepares it; it has a table."""
    run, prepared = view.run, view.technique.prepared
    assert run is not None
    assert prepared is not None
    frame = prepared.table(run, view.data.table)
    return Outputs(frame, "", settings_of(view))


def model_files(view: View) -> dict[str, tuple[str, str]]:
    """Return the fitted model of a page as texts: the end of the name of each file, its content."""
    run, table = view.run, view.data.table
    assert run is not None
    model, problem = run.fitted, run.problem
    has_holes = False
    if isinstance(table, Table) and isinstance(problem, Problem):
        has_holes = bool(table.frame[list(problem.features)].isna().any(axis=None))
    texts = {
        "JSON": (".json", model_json(model, problem)),
        "Python": (".py", model_python(model, problem, has_holes=has_holes)),
        "Rules (text)": (".txt", model_rules(model, problem)),
        "Network (BIF)": (
            ".bif",
            network_bif(problem.nodes) if isinstance(problem, NetworkProblem) else "",
        ),
    }
    return {label: (suffix, text) for label, (suffix, text) in texts.items() if text}


def settings_of(view: View, sentence: str = "") -> dict[str, str]:
    """Return what the results of a page were made with, by the names that a reader sees."""
    run = view.run
    assert run is not None
    labels = {
        name: label for group in view.technique.labels.values() for name, label in group.items()
    }
    params = run.model.get_params(deep=False)
    settings = {"Page": view.technique.entry.title, "Method": type(run.model).__name__}
    settings |= {labels.get(name, name): str(value) for name, value in params.items()}
    settings |= {"Data": view.data.summary}
    if isinstance(run.problem, Problem):
        settings |= {"Columns": ", ".join(run.problem.features)}
    settings |= {f"Note {i}": note for i, note in enumerate(run.problem.notes, 1)}
    if sentence:
        settings |= {"Rows": sentence}
    return settings | {"Made by": f"dmlib {dmlib.__version__}"}


def _of_table(view: View, run: AnyRun, table: Table) -> tuple[pd.DataFrame, str]:
    sample = view.data.sample
    rows = None if sample is None else sample[run.problem.rows]
    frame, sentence = with_outputs(
        run.problem,
        table.frame,
        run.fitted,
        answer=view.technique.answer(run),
        rows=rows,
        components=view.technique.prepared is None,
    )
    if view.technique.prepared is None:
        return frame, sentence
    prepared = prepared_table(view).frame
    if not isinstance(run.model, TransformerMixin):
        return prepared, "The prepared table has rows of its own."
    names = [
        name
        for name in prepared
        if name not in table.frame or not prepared[name].equals(table.frame[name])
    ]
    columns = prepared[names].rename(columns=lambda name: name + CHANGED * (name in table.frame))
    n_rows = f"{len(prepared):,} of {len(frame):,} rows are prepared."
    return joined(frame, columns.reindex(table.frame.index)), sentence or n_rows


def sample_table(view: View) -> pd.DataFrame:
    """Return what the algorithm got, one row for each sample, with what the run says of it."""
    run = view.run
    assert run is not None
    problem, answer = run.problem, view.technique.answer(run)
    frame = view.data.kind.listing(problem)
    if isinstance(problem, Problem):
        return joined(frame, sample_outputs(problem, run.fitted, answer).set_axis(frame.index))
    classes = problem.classes if isinstance(problem, HasClasses) else ()
    for columns in (
        fitted_columns(run.fitted, answer, classes),
        predicted_columns(run.fitted, problem.data, classes),
    ):
        fitting = {name: x for name, x in columns.items() if len(x) == len(frame)}
        frame = frame.assign(**{name: x for name, x in fitting.items() if name not in frame})
    return frame
