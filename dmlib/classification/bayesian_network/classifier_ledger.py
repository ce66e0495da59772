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
from dmlib.classification.class_ledger import table_by_class
from dmlib.classification.columns import Columns
from dmlib.classification.conditionals import prior_estimates
from dmlib.classification.products_ledger import (
    power_text,
    probability_text,
    product_table,
    share_formula,
    share_fraction,
)
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.regions import error_table, query_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, short, upper_first
from dmlib.problem import Problem, Query

MAX_CLASSES = 4  # whose arithmetic is written out
MAX_VALUES = 6  # columns of a table of counts
MAX_ROWS = 12  # of a table of counts
MAX_PATH = 4  # nodes of a path in a caption
MAX_PAIRS = 15  # in the ranking
VERDICTS = {"connect": "edge", "reject": "rejected"}
CMI = "I(A; B | C) = Σ n(a,b,c)/n · log₂ [n(a,b,c) · n(c) / (n(a,c) · n(b,c))]"


class Narrator:
    """Captions and ledgers of a network that classifies a query, by the steps that did so."""

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
        self.features = problem.features
        self.query_table = query_table(problem, query)
        self.name = problem.name(query)
        likely = np.argsort(-inference[-1].posterior, kind="stable")[:MAX_CLASSES]
        self.listed = sorted(likely.tolist())
        self.names = [problem.classes[code] for code in model.classes_]

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
        columns = {"rows": step.class_count.astype(int), "prior": step.class_prior}
        table = table_by_class(self.problem, self.model.classes_, columns, "Classes", absent=0)
        return "The class is a parent of every column; its prior is its share of the rows.", [table]

    def _measure(self, step: BayesianNetworkStep, index: int) -> tuple[str, Blocks]:
        assert step.pair is not None
        first, second = (self.features[j] for j in step.pair)
        bits = num4(step.information)
        caption = f"I({first}; {second} | {self.problem.target}) = {bits} bits."
        return caption, [Formula(CMI), self._terms(step.pair), self._ranking(index)]

    def _terms(self, pair: Pair) -> LedgerTable:
        """Return the terms of the sum, the largest first."""
        matrix = Columns.read(self.problem.training.data)[1]
        codings = [self.model.tables_[j].coding for j in pair]
        a, b = (coding.codes(matrix[:, j]) for coding, j in zip(codings, pair, strict=True))
        classes = np.searchsorted(self.model.classes_, np.asarray(self.problem.training.y))
        first, second = (coding.values for coding in codings)
        rows = [
            (f"{first[i]}, {second[j]}; {self.names[c]}", *counts, short(bits))
            for i, j, c, *counts, bits in information_terms(a, b, classes)
        ]
        head = ("a, b; c", "abc", "ac", "bc", "c", "bits")
        title = f"Counts n of each term, of {int(((a >= 0) & (b >= 0)).sum())} rows"
        return short_table(head, rows, title, max_rows=MAX_ROWS, of="terms")

    def _ranking(self, index: int) -> LedgerTable:
        """Return the pairs measured up to a step, the best first, and what became of each."""
        so_far = [step for step in self.learning[: index + 1] if step.pair is not None]
        bits = {step.pair: step.information for step in so_far}
        verdicts = {step.pair: VERDICTS.get(step.phase, "") for step in so_far}
        pairs = sorted(bits, key=lambda pair: -round(bits[pair], 12))
        rows = [
            (*(self.features[j] for j in pair or ()), short(bits[pair]), verdicts[pair])
            for pair in pairs
        ]
        head, title = ("column", "column", "bits", ""), "Pairs by information"
        emphasis = [pairs.index(so_far[-1].pair)]
        return short_table(head, rows, title, emphasis, max_rows=MAX_PAIRS, of="pairs")

    def _verdict(self, step: BayesianNetworkStep) -> str:
        assert step.pair is not None
        names, bits = " – ".join(self.features[j] for j in step.pair), num4(step.information)
        if step.phase == "connect":
            n = len(step.edges)
            return f"{names} has the most information of the pairs left, {bits} bits: edge {n}."
        path = [self.features[j] for j in path_between(step.edges, *step.pair)]
        connection = " – ".join(path)
        if len(path) > MAX_PATH:
            connection = f"a path of {len(path) - 1} edges"
        return f"{names} ({bits} bits) is rejected: {connection} connects them already."

    def _direct(self, step: BayesianNetworkStep) -> tuple[str, Blocks]:
        n, root = count(len(step.edges), "edge is", "edges are"), step.parents.index(-1)
        caption = f"The {n} directed away from the root, {self.features[root]}."
        factors = [f"P({name} | {self._parents(j)})" for j, name in enumerate(self.features)]
        product = abridged(factors, MAX_ROWS, " · ")
        return caption, [Formula(f"P(class, all columns) = P(class) · {product}")]

    def _count(self, step: BayesianNetworkStep) -> tuple[str, Blocks]:
        table, j = step.tables[-1], len(step.tables) - 1
        given = self._parents(j)
        n_classes, n_states, n_values = table.counts.shape
        n_empty = int((table.counts.sum(axis=2) == 0).sum())
        remark = f", {n_empty} of them without a row" if n_empty else ""
        n = n_classes * n_states
        caption = f"{self.features[j]} is counted for each of {n} states of {given}{remark}."
        values = range(min(n_values, MAX_VALUES))
        rows = [
            [self.names[c], *table.state(s), *(self.fraction(table, c, s, v) for v in values)]
            for c, s in np.ndindex(n_classes, n_states)
        ]
        parent = [table.parent.name] if table.parent else []
        head = ("class", *parent, *table.coding.values[:MAX_VALUES])
        title = f"P({self.features[j]} | {given})"
        formula = share_formula(self.model, n_values, "parents", "rows of the state")
        cells = short_table(head, rows, title, max_rows=MAX_ROWS, of="states")
        return caption, [cells, Formula(formula)]

    def fraction(self, table: ConditionalTable, c: int, state: int, value: int) -> str:
        """Return an estimate as a fraction of counts; as a number where no row has the state."""
        counts, n_values = table.counts[c, state], table.counts.shape[2]
        p = prior_estimates(table.counts.reshape(-1, n_values), self.model.m_prior)[value]
        text = share_fraction(self.model, counts[value], counts.sum(), n_values, p)
        return text or num4(table.probabilities[c, state, value])

    # --- classifying ------------------------------------------------------------------------------

    def _infer(self, step: InferenceStep) -> tuple[str, Blocks]:
        if step.phase == "start":
            listing = ", ".join(f"{self.names[c]} {num4(step.posterior[c])}" for c in self.listed)
            name = upper_first(self.name)
            caption = f"{name} is to be classified: the product starts with the prior, {listing}."
            return caption, [self.query_table]
        if step.phase == "normalise":
            return self._normalise(step)
        assert step.attribute is not None
        blocks = [*self._factor(step, step.attribute), self._product(step)]
        return self._factor_caption(step, step.attribute), blocks

    def _factor_caption(self, step: InferenceStep, j: int) -> str:
        if np.isneginf(step.log_joint).all():
            return "Every product is zero, so only the prior is left."
        name, best = self.features[j], int(step.posterior.argmax())
        leader = f"{self.names[best]} leads with {probability_text(step.posterior[best])}"
        if step.value is None and np.allclose(step.factor, 1.0):
            return f"{name} is unknown: summed out, its table gives 1."
        if step.factor.shape[1] > 1:
            event = self._event(step) if step.value else f"{name} is summed out"
            parent = self.features[self.model.parents_[j]]
            return f"{event}: its factor waits for {parent}, which is unknown."
        if step.value is None:
            return f"{name} is unknown and summed out: {leader}."
        state = "" if step.parent_value is None else f" = {step.parent_value}"
        return f"Times P({self._event(step)} | {self._parents(j)}{state}): {leader}."

    def _factor(self, step: InferenceStep, j: int) -> Blocks:
        """Return the factors of the classes: with the numbers put in, or one for each state."""
        table, name = self.model.tables_[j], self.features[j]
        if step.value is not None and step.factor.shape[1] == 1:
            value, state, given = table.coding.values.index(step.value), 0, ""
            if table.parent is not None and step.parent_value is not None:
                state = table.parent.values.index(step.parent_value)
                given = f", {step.parent_value}"
            return [
                Formula(
                    f"P({step.value} | {self.names[c]}{given}) = "
                    f"{self.fraction(table, c, state, value)} = {num(step.factor[c, 0])}"
                )
                for c in self.listed
            ]
        children = [i for i, parent in enumerate(self.model.parents_) if parent == j]
        factors = [f"P({name} | {self._parents(j)})", *(f"f({self.features[i]})" for i in children)]
        sum_text = f"f({name}) = Σ over {name} of {' · '.join(factors)}"
        formulas = [] if step.value else [Formula(sum_text)]
        is_waiting = step.factor.shape[1] > 1 and table.parent is not None
        states = table.parent.values if is_waiting and table.parent else ("factor",)
        rows = [[self.names[c], *map(short, step.factor[c][:MAX_VALUES])] for c in self.listed]
        return [*formulas, LedgerTable(("class", *states[:MAX_VALUES]), rows, f"f({name})")]

    def _product(self, last: InferenceStep) -> LedgerTable:
        """Return the factors so far, with their product."""
        factors: list[tuple[str, Floats | str]] = [("prior", self.model.class_prior_[self.listed])]
        for step in self.inference:
            if step.attribute is not None:
                is_waiting = step.factor.shape[1] > 1
                name = self._event(step) if step.value else f"f({self.features[step.attribute]})"
                factors.append((name, "waits" if is_waiting else step.factor[self.listed, 0]))
            if step is last:
                break
        names = [self.names[c] for c in self.listed]
        joint, posterior = last.log_joint[self.listed], last.posterior[self.listed]
        is_complete = last.phase == "normalise"
        return product_table(names, factors, joint, posterior, is_complete=is_complete)

    def _normalise(self, step: InferenceStep) -> tuple[str, Blocks]:
        best = int(step.posterior.argmax())
        name, probability = self.names[best], probability_text(step.posterior[best])
        caption = (
            "Divided by their sum, the products are probabilities: "
            f"{self.name} is predicted {name}, with probability {probability}."
        )
        if np.isneginf(step.log_joint).all():
            caption = f"Every product is zero, so the prior decides: {name}."
        terms = [power_text(step.log_joint[c]) for c in self.listed]
        terms += ["…"] if len(self.listed) < len(self.names) else []
        quotient = f"{power_text(step.log_joint[best])} / ({' + '.join(terms)})"
        formula = Formula(f"P({name} | x) = {quotient} = {num(step.posterior[best])}")
        errors = error_table(self.problem, self.model)
        return caption, [formula, self._product(step), self.query_table, errors]

    def _parents(self, j: int) -> str:
        parent = self.model.parents_[j]
        return "class" if parent < 0 else f"class, {self.features[parent]}"

    def _event(self, step: InferenceStep) -> str:
        return f"{self.features[step.attribute or 0]} = {step.value}"
