"""Questions about semi-supervised learning: who gets which label, and what it is learned from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dmlib.classification.class_questions import best, first_of, is_optional
from dmlib.classification.semi_supervised.active_learning import most_uncertain, uncertainty
from dmlib.classification.semi_supervised.graph_classifier import GraphClassifier
from dmlib.classification.semi_supervised.round_step import RoundClassifier
from dmlib.classification.semi_supervised.spreading import LabelSpreading
from dmlib.pictures.answers import Option, Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num, num4
from dmlib.problem import Problem

MAX_STEPS = 12  # that are asked about
MAX_ROWS = 500  # in the picture: among more, nobody finds a row
N_CANDIDATES = 5  # rows whose probabilities are named
MAX_NEIGHBORS = 5  # of a sum that is computed by hand
TOLERANCE = 0.01
HIDDEN = ("data.Raster",)  # the regions, which would give the answer away


class Rule(Misconception):
    """Wrong rules of semi-supervised and active learning."""

    ALL = "In each round all rows get the class that is predicted for them."
    SINGLE = "In each round only the row with the largest probability gets a label."
    COUNT = "Every neighbour has one vote, however far away it is."
    NEAREST = "The nearest row with a label decides alone."
    TRUTH = "A row gets its true class as its label."
    START = "The classifier is trained on the labels of the start only."
    SUREST = "The label of the row that the classifier is surest of teaches it most."


def questions(run: Run[Problem, Any]) -> Iterator[Question]:
    """Yield the questions that the steps of the run answer.

    Parameters
    ----------
    run : Run
        Steps of self-training, active learning, label propagation or label spreading.

    Yields
    ------
    Question
        Before each of the first rounds or iterations.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import SelfTrainingClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 4.0, 6.0, 8.0, 9.0], "c": list("xxxyyy")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> run = Run.of(problem, SelfTrainingClassifier(n_labeled=1, random_state=0))
    >>> sorted({question.topic for question in questions(run)})
    ['label', 'probability', 'threshold', 'training rows']
    """
    n_classes = len(run.problem.classes)
    if not run.trace.steps or not 2 < len(run.problem.training.X) <= MAX_ROWS or n_classes < 2:
        return
    ask = _of_iterations if isinstance(run.model, GraphClassifier) else _of_rounds
    yield from first_of(ask(run))


# --- rounds of self-training and queries of active learning ---------------------------------------


def _of_rounds(run: Run[Problem, RoundClassifier]) -> Iterator[Question]:
    for number in range(1, min(len(run.trace.steps), MAX_STEPS + 1)):
        step = run.trace.steps[number]
        if step.phase == "query":
            yield from _query(run, number)
            yield from _probability(run, number)
        if step.phase == "label":
            yield from _threshold(run, number)
            yield from _probability(run, number)
            yield from _label(run, number)
            yield from _query(run, number)
            yield from _training_rows(run, number)


def _names(run: Run[Problem, Any], rows: Any) -> list[int]:
    names: list[int] = (run.problem.training.rows[rows] + 1).tolist()
    return names


def _classes(run: Run[Problem, Any]) -> list[str]:
    start = run.model.start(run.problem.training.y)
    return [run.problem.classes[code] for code in start.classes]


def _threshold(run: Run[Problem, Any], number: int) -> Iterator[Question]:
    """Ask which of some rows get a label, with their probabilities."""
    before = run.trace.steps[number - 1]
    if run.model.criterion != "threshold":
        return
    threshold = run.model.threshold
    unlabeled = np.flatnonzero(before.labels < 0)
    certainty = before.proba.max(axis=1)
    order = unlabeled[np.argsort(certainty[unlabeled], kind="stable")]
    if len(order) < 2:
        return
    places = np.linspace(0, len(order) - 1, min(N_CANDIDATES, len(order))).round().astype(int)
    rows = np.sort(order[np.unique(places)])
    chosen = rows[certainty[rows] > threshold]
    names = dict(zip(rows.tolist(), _names(run, rows), strict=True))
    listed = ", ".join(f"row {names[row]}: {num4(certainty[row])}" for row in rows.tolist())
    surest = rows[best(certainty[rows])].tolist()
    yield Question(
        number,
        "threshold",
        f"The classifier is sure of its predictions to different degrees ({listed}). Which of "
        f"these rows get a label in the next round, with the threshold {num(threshold)}?",
        Pick("row", [_names(run, chosen)], sorted(names.values()), several=True),
        f"Those whose probability is above {num(threshold)}: {len(chosen)} of these {len(rows)}.",
        (Wrong(Rule.ALL, _names(run, rows)), Wrong(Rule.SINGLE, [names[row] for row in surest])),
        "Compare each probability with the threshold.",
    )


def _probability(run: Run[Problem, Any], number: int) -> Iterator[Question]:
    """Ask for the probability that votes by 1 / distance give, where the wrong rules differ."""
    step, before = run.trace.steps[number], run.trace.steps[number - 1]
    X, codes = run.problem.training.X, before.labels
    classifier = run.model.classifier(X, codes)
    if not hasattr(classifier, "kneighbors"):
        return
    row = int(step.rows[-1])
    distances, places = classifier.kneighbors(X[[row]])
    labels = codes[np.flatnonzero(codes >= 0)[places[0]]]
    if not 2 <= len(labels) <= MAX_NEIGHBORS or len(set(labels)) < 2 or not distances.all():
        return
    code = int(labels[0])
    classes = [
        run.problem.classes[each] for each in run.model.start(run.problem.training.y).classes
    ]
    listed = ", ".join(
        f"{classes[label]} at {num4(distance)}"
        for label, distance in zip(labels, distances[0], strict=True)
    )
    votes = 1 / distances[0]
    name = _names(run, [row])[0]
    yield Question(
        number,
        "probability",
        f"The nearest rows with a label of row {name} are: {listed}. What is the probability of "
        f"{classes[code]}, if votes weigh 1 / distance?",
        Value(float(before.proba[row, code]), TOLERANCE),
        f"({' + '.join(num4(vote) for vote in votes[labels == code])}) / "
        f"({' + '.join(map(num4, votes))}) = {num4(before.proba[row, code])}.",
        (Wrong(Rule.COUNT, float((labels == code).mean())), Wrong(Rule.NEAREST, 1.0)),
        "Divide the votes of this class by all votes.",
        about=[name],
    )


def _label(run: Run[Problem, Any], number: int) -> Iterator[Question]:
    """Ask for the label of a row that gets a wrong one, or else of the first."""
    step = run.trace.steps[number]
    start = run.model.start(run.problem.training.y)
    classes = _classes(run)
    before = run.trace.steps[number - 1]
    wrong = step.rows[step.labels[step.rows] != start.codes[step.rows]]
    row = int(wrong[0]) if len(wrong) else int(step.rows[0])
    label, truth = int(step.labels[row]), int(start.codes[row])
    if not is_optional(classes) or truth < 0:
        return
    listed = ", ".join(
        f"P({name}) = {num4(p)}" for name, p in zip(classes, before.proba[row], strict=True)
    )
    name = _names(run, [row])[0]
    yield Question(
        number,
        "label",
        f"Row {name} is of the class {classes[truth]}, which nobody has told the classifier; it "
        f"predicts {listed}. Which label does the row get?",
        Option(classes, best(before.proba[row])),
        f"The most probable class is {classes[label]}: self-training asks nobody for the truth.",
        (Wrong(Rule.TRUTH, truth),),
        "Who labels the rows?",
        about=[name],
    )


def _query(run: Run[Problem, Any], number: int) -> Iterator[Question]:
    """Ask which of some rows is, or would be, asked for."""
    step, before = run.trace.steps[number], run.trace.steps[number - 1]
    strategy = getattr(run.model, "strategy", "least_confident")
    is_own = step.phase == "query" and int(step.rows[0]) in run.model.queries
    unlabeled = np.flatnonzero(before.labels < 0)
    if strategy == "random" or is_own or len(unlabeled) < N_CANDIDATES:
        return
    scores = uncertainty(before.proba, strategy)
    order = unlabeled[np.argsort(-scores[unlabeled], kind="stable")]
    places = np.linspace(0, len(order) - 1, N_CANDIDATES).round().astype(int)
    rows = np.sort(order[places])
    asked, surest = rows[most_uncertain(scores[rows])], rows[most_uncertain(-scores[rows])]
    names = _names(run, rows)
    listed = ", ".join(
        f"row {name}: {num4(p)}"
        for name, p in zip(names, before.proba[rows].max(axis=1), strict=True)
    )
    rule = {"least_confident": "least confident", "margin": "smallest margin"}.get(
        strategy, "largest entropy"
    )
    verb = "does" if step.phase == "query" else "would"
    row = _names(run, asked)[0]
    yield Question(
        number,
        "query",
        f"The most probable classes of some rows have these probabilities: {listed}. Which of "
        f"these labels {verb} uncertainty sampling ({rule}) ask for?",
        Pick("row", [[name] for name in _names(run, asked)], sorted(names)),
        f"Row {row} is the least certain of them: its uncertainty is "
        f"{num4(scores[asked[0]])}, the largest.",
        [Wrong(Rule.SUREST, [name]) for name in _names(run, surest)],
        "Whose label would be news?",
    )


def _training_rows(run: Run[Problem, Any], number: int) -> Iterator[Question]:
    """Ask how many rows the next classifier is trained on."""
    step, before = run.trace.steps[number], run.trace.steps[number - 1]
    n_before, n_new = before.n_labels, len(step.rows)
    first = run.trace.steps[0].n_labels
    yield Question(
        number,
        "training rows",
        f"{first} rows had a label at the start, {n_before - first} got one since, and {n_new} get "
        "one in the next round. On how many rows is the classifier trained then?",
        Value(n_before + n_new),
        f"{first} + {n_before - first} + {n_new} = {n_before + n_new}: predicted labels count like "
        "true ones.",
        (Wrong(Rule.START, first),),
        "That is why a wrong label does harm.",
    )


# --- iterations of label propagation and spreading ------------------------------------------------


def _of_iterations(run: Run[Problem, GraphClassifier]) -> Iterator[Question]:
    matrix = run.model.transitions(run.model.weights(run.problem.training.X))
    for number in range(1, min(len(run.trace.steps), MAX_STEPS + 1)):
        if run.trace.steps[number].phase != "spread":
            return
        yield from _reached(run, number)
        yield from _share(run, number, matrix)


def _reached(run: Run[Problem, GraphClassifier], number: int) -> Iterator[Question]:
    """Ask how many rows a label comes to."""
    step, before = run.trace.steps[number], run.trace.steps[number - 1]
    n_before, n = int(before.mass.any(axis=1).sum()), int(step.mass.any(axis=1).sum())
    new = np.flatnonzero(step.mass.any(axis=1) & ~before.mass.any(axis=1))
    if not len(new) or len(new) > MAX_NEIGHBORS * 2:
        return
    yield Question(
        number,
        "reached",
        "Which rows does a label come to for the first time in the next iteration?",
        Pick("row", [_names(run, new)], several=True),
        f"The neighbours of the {n_before} rows that have one: {n - n_before} more.",
        (),
        "Labels go one edge at a time.",
        hides=HIDDEN,
    )


def _share(run: Run[Problem, Any], number: int, matrix: Any) -> Iterator[Question]:
    """Ask for what a row takes from its neighbours."""
    step, before = run.trace.steps[number], run.trace.steps[number - 1]
    start = run.model.start(run.problem.training.y)
    change = np.where(start.is_labeled, 0.0, step.change)
    degrees = np.diff(matrix.indptr)
    rows = np.flatnonzero((change > TOLERANCE) & (degrees <= MAX_NEIGHBORS))
    if not len(rows):
        return
    row = int(rows[change[rows].argmax()])
    part = slice(matrix.indptr[row], matrix.indptr[row + 1])
    neighbors, parts = matrix.indices[part], matrix.data[part]
    code = int(step.mass[row].argmax())
    label = run.problem.classes[start.classes[code]]
    listed = ", ".join(
        f"{num4(w)} of row {name} with {num4(mass)}"
        for w, name, mass in zip(
            parts, _names(run, neighbors), before.mass[neighbors, code], strict=True
        )
    )
    terms = " + ".join(
        f"{num4(w)}·{num4(mass)}"
        for w, mass in zip(parts, before.mass[neighbors, code], strict=True)
    )
    value = float(step.mass[row, code])
    is_spreading = isinstance(run.model, LabelSpreading)
    factor = f"{num(run.model.alpha)} · " if is_spreading else ""
    name = _names(run, [row])[0]
    if value <= 2 * TOLERANCE or not (is_spreading or before.mass[neighbors].any(axis=1).all()):
        return
    yield Question(
        number,
        "share",
        f"Row {name} takes from its neighbours, of {label}: {listed}"
        f"{f'; α = {num(run.model.alpha)}' if is_spreading else ''}. How much of {label} does it "
        "have then?",
        Value(value, TOLERANCE),
        f"{factor}({terms}) = {num4(value)}.",
        (),
        "Multiply and add up.",
        about=[name],
    )
