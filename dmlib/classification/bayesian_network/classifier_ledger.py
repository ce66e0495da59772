"""A Bayesian network in words and numbers: information of pairs, edges, tables and factors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.bayesian_network.algorithm import BayesianNetworkClassifier
from dmlib.classification.bayesian_network.bayesian_network_step import (
    BayesianNetworkStep,
    InferenceStep,
)
from dmlib.classification.bayesian_network.conditional_table import ConditionalTable
from dmlib.classification.bayesian_network.tree import Pair, information_terms, path_between
from dmlib.classification.class_ledger import prior_text, table_by_class
from dmlib.classification.columns import Columns
from dmlib.classification.conditionals import prior_estimates
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.regions import error_table, query_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, short, upper_first
from dmlib.problem import Problem, Query

MAX_CLASSES = 4  # whose arithmetic is written out
MAX_TERMS = 6  # of a sum that is written out
MAX_VALUES = 6  # columns of a table of counts
MAX_ROWS = 12  # of a table of counts
MAX_PATH = 4  # nodes of a path in a caption
MAX_PAIRS = 15  # in the ranking
CMI = "I(A; B | C) = Σ n(a,b,c)/n · log₂ [n(a,b,c) · n(c) / (n(a,c) · n(b,c))]"


class Narrator:
    """Captions and ledgers of a Bayesian network that classifies.

    Parameters
    ----------
    problem : Problem
        The data, labelled.
    model : BayesianNetworkClassifier
        Fitted to the training rows.
    query : Query
        The place or row that is classified.
    learning : sequence of BayesianNetworkStep
        The steps of learning.
    inference : sequence of InferenceStep
        The steps of its classification.
    """

    def __init__(
        self,
        problem: Problem,
        model: BayesianNetworkClassifier,
        query: Query,
        learning: Sequence[BayesianNetworkStep],
        inference: Sequence[InferenceStep],
    ) -> None:
        self.problem, self.model = problem, model
        self.learning, self.inference = learning, inference
        self.names = [problem.classes[code] for code in model.classes_]
        self.features = problem.features
        self.query_table = query_table(problem, query)
        self.name = upper_first(problem.name(query))
        likely = np.argsort(-inference[-1].posterior, kind="stable")[:MAX_CLASSES]
        self.listed = sorted(likely.tolist())

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step = moment.step
        if isinstance(step, InferenceStep):
            return self._infer(step)
        if step.phase == "prior":
            return self._prior(step)
        if step.phase == "measure":
            return self._measure(step, moment.index)
        if step.phase in ("connect", "reject"):
            return self._verdict(step), [self._ranking(moment.index)]
        return self._direct(step) if step.phase == "direct" else self._count(step)

    # --- the structure ----------------------------------------------------------------------------

    def _prior(self, step: BayesianNetworkStep) -> tuple[str, Blocks]:
        n = step.class_count
        lines = [
            prior_text(f"P({self.names[i]})", n[i], n.sum(), step.class_prior[i], is_set=False)
            for i in self.listed
        ]
        columns = {"rows": n.astype(int), "prior": step.class_prior}
        table = table_by_class(self.problem, self.model.classes_, columns, "Classes", absent=0)
        caption = "The class is a parent of every column; its prior is its share of the rows."
        return caption, [table, *map(Formula, lines)]

    def _measure(self, step: BayesianNetworkStep, index: int) -> tuple[str, Blocks]:
        assert step.pair is not None
        caption = f"{self._information(step.pair)} = {num4(step.information)} bits."
        return caption, [Formula(CMI), self._terms(step.pair), self._ranking(index)]

    def _terms(self, pair: Pair) -> LedgerTable:
        """Return the terms of the sum, the largest first."""
        matrix = Columns.read(self.problem.training.data)[1]
        classes = np.asarray(self.problem.training.y, np.intp)
        codings = [self.model.tables_[j].coding for j in pair]
        a, b = (coding.codes(matrix[:, j]) for coding, j in zip(codings, pair, strict=True))
        is_known = (a >= 0) & (b >= 0)
        places = np.searchsorted(self.model.classes_, classes[is_known])
        rows = information_terms(a[is_known], b[is_known], places)
        cells = [
            (
                f"{codings[0].values[i]}, {codings[1].values[j]}; {self.names[c]}",
                *counts,
                short(bits),
            )
            for i, j, c, *counts, bits in rows
        ]
        head = ("a, b; c", "abc", "ac", "bc", "c", "bits")
        title = f"Counts n of each term, of {len(places)} rows"
        return short_table(head, cells, title, max_rows=MAX_ROWS, of="terms")

    def _ranking(self, index: int) -> LedgerTable:
        """Return the pairs measured up to a step, the best first, and what became of each."""
        so_far = self.learning[: index + 1]
        current = so_far[-1].pair
        bits = {step.pair: step.information for step in so_far if step.pair is not None}
        verdicts = {
            step.pair: "edge" if step.phase == "connect" else "rejected"
            for step in so_far
            if step.phase in ("connect", "reject")
        }
        pairs = sorted(bits, key=lambda pair: -round(bits[pair], 12))
        rows = [
            (*(self.features[j] for j in pair), short(bits[pair]), verdicts.get(pair, ""))
            for pair in pairs
        ]
        emphasis = [pairs.index(current)] if current in bits else []
        head = ("column", "column", "bits", "")
        return short_table(
            head, rows, "Pairs by information", emphasis, max_rows=MAX_PAIRS, of="pairs"
        )

    def _verdict(self, step: BayesianNetworkStep) -> str:
        assert step.pair is not None
        names = " – ".join(self.features[j] for j in step.pair)
        bits = f"{num4(step.information)} bits"
        if step.phase == "connect":
            return (
                f"{names} has the most information of the pairs left, {bits}: edge "
                f"{len(step.edges)}."
            )
        path = [self.features[j] for j in path_between(step.edges, *step.pair)]
        connection = " – ".join(path)
        if len(path) > MAX_PATH:
            connection = f"a path of {len(path) - 1} edges"
        return f"{names} ({bits}) is rejected: {connection} connects them already."

    def _direct(self, step: BayesianNetworkStep) -> tuple[str, Blocks]:
        root = self.features[step.parents.index(-1)]
        rows = [
            (name, "class" if parent < 0 else f"class, {self.features[parent]}")
            for name, parent in zip(self.features, step.parents, strict=True)
        ]
        n = count(len(step.edges), "edge is", "edges are")
        caption = f"The {n} directed away from the root, {root}."
        return caption, [short_table(("column", "parents"), rows, "Parents", of="columns")]

    def _count(self, step: BayesianNetworkStep) -> tuple[str, Blocks]:
        table = step.tables[-1]
        j = len(step.tables) - 1
        given = self._given(j)
        n_states = table.counts.shape[0] * table.counts.shape[1]
        n_empty = int((table.counts.sum(axis=2) == 0).sum())
        remark = f", {n_empty} of them without a row" if n_empty else ""
        caption = f"{self.features[j]} is counted for each of {n_states} states of {given}{remark}."
        rows: list[list[Cell]] = []
        for c, state in np.ndindex(table.counts.shape[:2]):
            parent = [table.parent.values[state]] if table.parent else []
            n_values = min(table.counts.shape[2], MAX_VALUES)
            rows.append(
                [
                    self.names[c],
                    *parent,
                    *(self.fraction(table, c, state, v) for v in range(n_values)),
                ]
            )
        parent_name = [table.parent.name] if table.parent else []
        head = ("class", *parent_name, *table.coding.values[:MAX_VALUES])
        title = f"P({self.features[j]} | {given})"
        blocks: Blocks = [
            short_table(head, rows, title, max_rows=MAX_ROWS, of="states"),
            Formula(self._smoothing(table)),
        ]
        return caption, blocks

    def _smoothing(self, table: ConditionalTable) -> str:
        """Return how a share is estimated from counts."""
        laplace, m, n_values = self.model.laplace, self.model.m_estimate, table.counts.shape[2]
        if not laplace and not m:
            return "P(value | parents) = n(value, parents) / n(parents)"
        numerator, denominator = "n(value, parents)", "n(parents)"
        if laplace:
            numerator += f" + {laplace:g}"
            denominator += f" + {laplace:g} · {n_values}"
        if m:
            is_uniform = self.model.m_prior == "uniform"
            numerator += f" + {m:g} / {n_values}" if is_uniform else f" + {m:g} · P(value)"
            denominator += f" + {m:g}"
        return f"P(value | parents) = ({numerator}) / ({denominator})"

    def fraction(self, table: ConditionalTable, c: int, state: int, value: int) -> str:
        """Return an estimate as a fraction of counts; as a number where no row has the state."""
        n_values = table.counts.shape[2]
        counts = table.counts[c, state]
        p = prior_estimates(table.counts.reshape(-1, n_values), self.model.m_prior)[value]
        added = self.model.laplace + self.model.m_estimate * p
        total = self.model.laplace * n_values + self.model.m_estimate
        if total:
            return f"({counts[value]:g} + {num4(added)}) / ({counts.sum():g} + {num4(total)})"
        if not counts.sum():
            return num4(table.probabilities[c, state, value])
        return f"{counts[value]:g} / {counts.sum():g}"

    # --- classifying ------------------------------------------------------------------------------

    def _infer(self, step: InferenceStep) -> tuple[str, Blocks]:
        if step.phase == "start":
            listing = ", ".join(f"{self.names[c]} {num4(step.posterior[c])}" for c in self.listed)
            return (
                f"{self.name} is to be classified: the product starts with the prior, {listing}.",
                [self.query_table],
            )
        if step.phase == "normalise":
            return self._normalise(step)
        assert step.attribute is not None
        blocks = [*self._factor(step), self._factor_table(step)]
        return self._factor_caption(step, step.attribute), blocks

    def _factor_caption(self, step: InferenceStep, j: int) -> str:
        if np.isneginf(step.log_joint).all():
            return "Every product is zero, so only the prior is left."
        best = int(step.posterior.argmax())
        leader = f"{self.names[best]} leads with {num4(step.posterior[best])}"
        is_waiting = step.factor.shape[1] > 1
        if step.phase == "multiply":
            if is_waiting:
                parent = self.features[self.model.parents_[j]]
                return f"{self._event(step)}: its factor waits for {parent}, which is unknown."
            return f"Times P({self._event(step)} | {self._state(step)}): {leader}."
        if np.allclose(step.factor, 1.0):
            return f"{self.features[j]} is unknown: summed out, its table gives 1."
        if is_waiting:
            parent = self.features[self.model.parents_[j]]
            return f"{self.features[j]} is summed out; the sum waits for {parent}, also unknown."
        return f"{self.features[j]} is unknown and summed out: {leader}."

    def _factor(self, step: InferenceStep) -> Blocks:
        """Return the factors of the classes with the numbers put in."""
        j = step.attribute
        assert j is not None
        table, parent = self.model.tables_[j], self.model.parents_[j]
        if step.phase == "sum":
            children = [
                self.features[i] for i, above in enumerate(self.model.parents_) if above == j
            ]
            factors = "".join(f" · factor of {name}" for name in children)
            text = f"Σ over {self.features[j]} of P({self.features[j]} | {self._given(j)}){factors}"
            return [Formula(text), self._state_table(step, table)]
        if step.factor.shape[1] > 1:
            return [self._state_table(step, table)]
        state = 0 if parent < 0 else self._parent_code(table, step)
        value = table.coding.values.index(str(step.value))
        given = "" if step.parent_value is None else f", {step.parent_value}"
        return [
            Formula(
                f"P({step.value} | {self.names[c]}{given}) = "
                f"{self.fraction(table, c, state, value)} = {num(step.factor[c, 0])}"
            )
            for c in self.listed
        ]

    @staticmethod
    def _parent_code(table: ConditionalTable, step: InferenceStep) -> int:
        assert table.parent is not None
        return table.parent.values.index(str(step.parent_value))

    def _state_table(self, step: InferenceStep, table: ConditionalTable) -> LedgerTable:
        """Return a factor that has a number for each class, and each value of an unknown parent."""
        is_waiting = step.factor.shape[1] > 1 and table.parent is not None
        states = table.parent.values if is_waiting and table.parent else ("factor",)
        rows = [[self.names[c], *map(short, step.factor[c][:MAX_VALUES])] for c in self.listed]
        return LedgerTable(("class", *states[:MAX_VALUES]), rows, "Factor of each class")

    def _factor_table(self, last: InferenceStep) -> LedgerTable:
        """Return the factors so far, a column for each class, with their product."""
        rows: list[list[Cell]] = [["prior", *self._shorts(self.model.class_prior_)]]
        for step in self.inference:
            if step.attribute is not None:
                name = self._event(step) if step.value else f"Σ {self.features[step.attribute]}"
                is_waiting = step.factor.shape[1] > 1
                cells = (
                    ["waits"] * len(self.listed) if is_waiting else self._shorts(step.factor[:, 0])
                )
                rows.append([name, *cells])
            if step is last:
                break
        rows = (
            [*rows[:1], ["…", *[""] * len(self.listed)], *rows[-MAX_ROWS:]]
            if len(rows) > MAX_ROWS + 2
            else rows
        )
        newest = len(rows) - 1
        rows.append(["product", *self._shorts(np.exp(last.log_joint))])
        rows.append(["share", *self._shorts(last.posterior)])
        emphasis = [] if last.attribute is None else [newest]
        head = ("factor", *(self.names[c] for c in self.listed))
        return LedgerTable(head, rows, "Factors so far", emphasis)

    def _normalise(self, step: InferenceStep) -> tuple[str, Blocks]:
        best = int(step.posterior.argmax())
        name = self.names[best]
        products = np.exp(step.log_joint)
        caption = (
            f"Divided by their sum, the products are probabilities: "
            f"{self.name[0].lower()}{self.name[1:]} is predicted {name}, "
            f"with probability {num4(step.posterior[best])}."
        )
        if np.isneginf(step.log_joint).all():
            caption = f"Every product is zero, so the prior decides: {name}."
        terms = [num(products[c]) for c in self.listed]
        terms += ["…"] if len(self.listed) < len(self.names) else []
        quotient = f"{num(products[best])} / ({abridged(terms, MAX_TERMS)})"
        formula = Formula(f"P({name} | x) = {quotient} = {num(step.posterior[best])}")
        return caption, [
            formula,
            self._factor_table(step),
            self.query_table,
            error_table(self.problem, self.model),
        ]

    def _shorts(self, values: Floats) -> list[Cell]:
        return [short(values[c]) for c in self.listed]

    def _information(self, pair: Pair) -> str:
        first, second = (self.features[j] for j in pair)
        return f"I({first}; {second} | {self.problem.target})"

    def _given(self, j: int) -> str:
        parent = self.model.parents_[j]
        return "class" if parent < 0 else f"class, {self.features[parent]}"

    def _event(self, step: InferenceStep) -> str:
        return f"{self.features[step.attribute or 0]} = {step.value}"

    def _state(self, step: InferenceStep) -> str:
        parent = self.model.parents_[step.attribute or 0]
        if parent < 0:
            return "class"
        return f"class, {self.features[parent]} = {step.parent_value}"
