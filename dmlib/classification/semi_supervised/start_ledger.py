"""The labels at the start, the error and a held-out row in words, for all methods."""

from __future__ import annotations

from typing import Any

from dmlib.arrays import Ints
from dmlib.classification.semi_supervised.canvas_scene import Canvas
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, class_table
from dmlib.pictures.words import count, num4, percent

MAX_TERMS = 4  # classes that are written out


def start_caption(canvas: Canvas) -> str:
    """Return how many rows have a label at the start, and how many have none."""
    n, n_labels = len(canvas.start.codes), int(canvas.start.is_labeled.sum())
    return f"{count(n_labels, 'row has', 'rows have')} a label, {n - n_labels} have none"


def start_table(canvas: Canvas) -> LedgerTable:
    """Return how many rows of each class have a label at the start."""
    labels, codes = canvas.start.labels, canvas.start.codes
    rows = [
        (name, int((labels == code).sum()), int((codes == code).sum()))
        for code, name in enumerate(canvas.classes)
    ]
    return class_table(("class", "known", "all"), rows, "Labels at the start")


def held_out_row(canvas: Canvas, step: Any) -> Blocks:
    """Return the probabilities of the selected row where it is held out; otherwise nothing."""
    problem, row = canvas.problem, canvas.run.selected
    if row is None or canvas.selected:
        return []
    proba = canvas.run.model.proba_at(step, problem.training.X, problem.X[[row]])[0]
    shares = [f"P({label}) = {num4(p)}" for label, p in zip(canvas.classes, proba, strict=True)]
    number = problem.rows[row] + 1
    return [Formula(f"row {number} is held out: {abridged(shares, MAX_TERMS, ', ')}")]


def error_phrase(error: Ints) -> str:
    """Return the error for the end of a caption; nothing where no label is hidden.

    Examples
    --------
    >>> import numpy as np
    >>> error_phrase(np.array([1, 4])), error_phrase(np.array([], int))
    ('; error 25 %', '')
    """
    return f"; error {percent(error[0] / error[1])}" if len(error) else ""


def error_formula(error: Ints) -> Blocks:
    """Return the error as a quotient; nothing where no label is hidden."""
    if not len(error):
        return []
    wrong, hidden = error.tolist()
    return [Formula(f"error = {wrong} / {hidden} = {num4(wrong / hidden)}")]


def error_sentence(error: Ints) -> str:
    """Return the error as a sentence that follows another one.

    Examples
    --------
    >>> import numpy as np
    >>> error_sentence(np.array([1, 4]))
    ' 1 of 4 rows without a label at the start is misclassified.'
    """
    if not len(error):
        return ""
    wrong, hidden = error.tolist()
    verb = "is" if wrong == 1 else "are"
    return (
        f" {wrong} of {count(hidden, 'row', 'rows')} without a label at the start {verb} "
        "misclassified."
    )
