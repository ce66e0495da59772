"""Self-training and active learning in words and numbers: who gets a label, and by which votes."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.classification.semi_supervised.active_learning import uncertainty
from dmlib.classification.semi_supervised.canvas_scene import Canvas
from dmlib.classification.semi_supervised.round_step import RoundStep
from dmlib.classification.semi_supervised.self_training import SelfTrainingClassifier
from dmlib.classification.semi_supervised.start_ledger import (
    error_formula,
    error_phrase,
    error_sentence,
    held_out_row,
    start_caption,
    start_table,
)
from dmlib.pictures.ledger import (
    Blocks,
    Formula,
    LedgerTable,
    abridged,
    class_table,
    numbered_table,
)
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, short
from dmlib.problem import Problem

MAX_ROWS = 10  # of a table of rows
MAX_TERMS = 4  # of a sum
NAMES = {"knn": "NN", "naive_bayes": "naive Bayes", "logistic_regression": "logistic regression"}
FORMULAS = {"least_confident": "1 − P₁", "margin": "1 − (P₁ − P₂)", "entropy": "−Σ P ln P"}


class RoundNarrator:
    """Captions and ledgers of self-training and active learning.

    Parameters
    ----------
    run : Run
        The run.
    canvas : Canvas
        It knows the labels of the start and the selected row.
    """

    def __init__(self, run: Run[Problem, Any], canvas: Canvas) -> None:
        self.model: Any = run.model
        self.canvas = canvas
        self.rows, self.X = run.problem.training.rows + 1, run.problem.training.X
        self.classes = canvas.classes

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: RoundStep = moment.step
        narrate = {
            "start": self._start,
            "label": self._label,
            "query": self._query,
            "done": self._done,
        }
        caption, blocks = narrate[step.phase](step, moment.before)
        rows = dict.fromkeys([*self.canvas.selected, *step.rows[:1].tolist()])
        votes = [block for row in rows for block in self._probability(row, moment.before)]
        return caption, [*held_out_row(self.canvas, step), *votes, *blocks]

    # --- the phases -------------------------------------------------------------------------------

    def _start(self, step: RoundStep, before: RoundStep) -> tuple[str, Blocks]:
        caption = f"{start_caption(self.canvas)}{error_phrase(step.error)}."
        return caption, [start_table(self.canvas)]

    def _label(self, step: RoundStep, before: RoundStep) -> tuple[str, Blocks]:
        remaining = int((step.labels < 0).sum())
        labels = count(
            len(step.rows),
            "row gets the predicted class as its label",
            "rows get the predicted class as their label",
        )
        caption = (
            f"Round {step.iteration}: {labels}, {remaining} {'has' if remaining == 1 else 'have'}"
            f" none{error_phrase(step.error)}."
        )
        certainty = before.proba.max(axis=1)
        candidates = np.flatnonzero(before.labels < 0)
        n = len(candidates)
        if self.model.criterion == "threshold":
            threshold = num(self.model.threshold)
            rule = f"P > {threshold}: {len(step.rows)} of {n} rows"
            waiting = certainty[np.setdiff1d(candidates, step.rows)]
            if len(waiting):
                rule += f"; the next has {num4(waiting.max())}"
        else:
            rule = f"the {len(step.rows)} of {n} rows with the largest P"
        table = self._labels(step.rows, step.labels, certainty)
        return caption, [Formula(rule), table, *self._wrong(step), *error_formula(step.error)]

    def _labels(self, rows: Ints, labels: Ints, certainty: Floats) -> LedgerTable:
        codes = self.canvas.start.codes
        lines = [
            (
                int(self.rows[row]),
                short(certainty[row]),
                self.classes[labels[row]],
                self.classes[codes[row]] if codes[row] >= 0 else "unknown",
            )
            for row in rows
        ]
        head = ("row", "P", "label", "true class")
        return numbered_table(head, lines, "New labels", max_rows=MAX_ROWS)

    def _wrong(self, step: RoundStep) -> Blocks:
        codes = self.canvas.start.codes
        learned = (step.labeled_iter > 0) & (codes >= 0)
        wrong = int((step.labels[learned] != codes[learned]).sum())
        return [Formula(f"wrong labels so far: {wrong} of {int(learned.sum())}")]

    def _query(self, step: RoundStep, before: RoundStep) -> tuple[str, Blocks]:
        row = int(step.rows[0])
        label = self.classes[step.labels[row]]
        best = self.classes[int(before.proba[row].argmax())]
        reason = f"P({best}) = {num4(before.proba[row].max())}"
        is_own = row in self.model.queries
        query = f"the label of row {self.rows[row]} is asked for"
        if is_own:
            query = f"you ask for the label of row {self.rows[row]}"
        caption = (
            f"Query {step.iteration}: {query} ({reason}); it is {label}{error_phrase(step.error)}."
        )
        if is_own or self.model.strategy == "random":
            return caption, error_formula(step.error)
        candidates = np.flatnonzero((before.labels < 0) & (self.canvas.start.codes >= 0))
        scores = uncertainty(before.proba[candidates], self.model.strategy)
        order = np.argsort(-scores, kind="stable")
        lines = [
            (int(self.rows[i]), short(before.proba[i].max()), short(score))
            for i, score in zip(candidates[order], scores[order], strict=True)
        ]
        formula = FORMULAS[self.model.strategy]
        return caption, [
            Formula(self._uncertainty(before.proba[row])),
            numbered_table(
                ("row", "P₁", formula), lines, "Least certain rows", [0], max_rows=MAX_ROWS
            ),
            *error_formula(step.error),
        ]

    def _uncertainty(self, proba: Floats) -> str:
        """Return the uncertainty of a row, written out."""
        first, second = np.sort(np.append(proba, 0.0))[::-1][:2]
        value = num4(uncertainty(proba[None], self.model.strategy)[0])
        if self.model.strategy == "least_confident":
            return f"1 − P₁ = 1 − {num4(first)} = {value}"
        if self.model.strategy == "margin":
            return f"1 − (P₁ − P₂) = 1 − ({num4(first)} − {num4(second)}) = {value}"
        terms = [f"{num4(p)} · ln {num4(p)}" for p in proba[proba > 0]]
        return f"−({abridged(terms, MAX_TERMS)}) = {value}"

    def _done(self, step: RoundStep, before: RoundStep) -> tuple[str, Blocks]:
        caption = f"Done. {step.reason}{error_sentence(step.error)}"
        codes = range(len(self.classes))
        is_labeled = self.canvas.start.is_labeled
        rows = [
            (
                self.classes[code],
                int((step.labels[is_labeled] == code).sum()),
                int((step.labels[~is_labeled] == code).sum()),
            )
            for code in codes
        ]
        blocks: Blocks = [class_table(("class", "at the start", "since then"), rows, "Labels")]
        if isinstance(self.model, SelfTrainingClassifier):
            blocks += self._wrong(step)
        return caption, [*blocks, *error_formula(step.error)]

    # --- parts ------------------------------------------------------------------------------------

    def _probability(self, row: int, before: RoundStep) -> Blocks:
        """Return the probabilities of a row by the classifier of a step, with its votes."""
        name, proba = f"row {self.rows[row]}", before.proba[row]
        if before.labels[row] >= 0:
            source = "known" if self.canvas.start.is_labeled[row] else "labelled"
            return [Formula(f"{name} is {source}: {self.classes[before.labels[row]]}")]
        best = int(proba.argmax())
        classifier = self.model.classifier(self.X, before.labels)
        if hasattr(classifier, "kneighbors"):
            return self._votes(row, before, best, classifier)
        rows = [(each, short(p)) for each, p in zip(self.classes, proba, strict=True)]
        title = f"P of {name} by {NAMES[self.model.estimator]}"
        return [class_table(("class", "P"), rows, title, [best])]

    def _votes(self, row: int, before: RoundStep, best: int, classifier: Any) -> Blocks:
        """Return the votes of the nearest labelled rows."""
        distances, places = classifier.kneighbors(self.X[[row]])
        neighbors = np.flatnonzero(before.labels >= 0)[places[0]]
        votes = classifier.vote_weights(distances)[0]
        is_for = before.labels[neighbors] == best
        lines = [
            (int(self.rows[i]), self.classes[before.labels[i]], short(distance), short(vote))
            for i, distance, vote in zip(neighbors, distances[0], votes, strict=True)
        ]
        terms = " + ".join(num4(vote) for vote in votes[is_for])
        terms = f"({terms})" if is_for.sum() > 1 else terms
        total = num4(votes.sum())
        name, label = f"row {self.rows[row]}", self.classes[best]
        formula = f"P({label} | {name}) = {terms} / {total} = {num4(before.proba[row, best])}"
        head = ("row", "label", "distance", "vote 1/d")
        return [Formula(formula), numbered_table(head, lines, f"Nearest labelled rows of {name}")]
