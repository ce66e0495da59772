"""Exact inference in words and numbers: tables, products of factors and sums."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.bayesian_network.exact_inference import ExactInference, ExactInferenceStep
from dmlib.classification.bayesian_network.factor import Factor, product
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, short
from dmlib.problem import NetworkProblem

MAX_ROWS = 16  # of a factor's table
MAX_TABLES = 6  # factors that are listed with their numbers
MAX_NAMED = 4  # nodes in a sentence


class Narrator:
    """Captions and ledgers of exact inference."""

    def __init__(self, problem: NetworkProblem, model: ExactInference) -> None:
        self.problem, self.model, self.target = problem, model, problem.target
        self.observed = ", ".join(f"{name} = {value}" for name, value in problem.evidence.items())
        self.given = f" | {self.observed}" if self.observed else ""
        self.values = problem.by_name[problem.target].values

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: ExactInferenceStep = moment.step
        narrate = {
            "tables": self._tables,
            "observe": self._observe,
            "enumerate": self._enumerate,
            "eliminate": self._eliminate,
            "multiply": self._multiply,
            "normalise": self._normalise,
        }
        caption, blocks = narrate[step.phase](step)
        if step.n_products:
            blocks.append(Formula(f"Multiplications so far: {step.n_products}"))
        return caption, blocks

    def _tables(self, step: ExactInferenceStep) -> tuple[str, Blocks]:
        n = count(len(step.factors), "table", "tables")
        caption = (
            f"The joint distribution is the product of {n}, one for each node given its parents; "
            f"asked for is P({self.target}{self.given})."
        )
        terms = " · ".join(factor.name for factor in step.factors)
        formula = Formula(f"P({', '.join(self.problem.names)}) = {terms}")
        return caption, [formula, *map(self.table, step.factors[:MAX_TABLES])]

    def _observe(self, step: ExactInferenceStep) -> tuple[str, Blocks]:
        """Say which rows of the tables agree with the evidence, and who is independent then."""
        caption = "Nothing is observed: all rows of the tables count."
        if self.observed:
            caption = f"Observed: {self.observed}; of each table only the rows that agree are left."
        changed = [
            factor
            for node, factor in zip(self.problem.nodes, step.factors, strict=True)
            if {node.name, *node.parents} & self.problem.evidence.keys()
        ]
        return caption, [self._independence(), *map(self.table, changed[:MAX_TABLES])]

    def _independence(self) -> Formula:
        names = abridged(self.model.independent_, MAX_NAMED, ", ") or "no other node"
        verb = "are" if len(self.model.independent_) > 1 else "is"
        given = "given the evidence" if self.observed else "as long as nothing is observed"
        return Formula(f"d-separation: {names} {verb} independent of {self.target} {given}")

    def _enumerate(self, step: ExactInferenceStep) -> tuple[str, Blocks]:
        assert step.weights is not None
        nodes = zip(self.problem.nodes, step.state, strict=True)
        state = {node.name: node.values[code] for node, code in nodes}
        listing = ", ".join(
            f"{name} = {value}"
            for name, value in state.items()
            if name not in self.problem.evidence
        )
        event = f"{self.target} = {state[self.target]}"
        total = num(step.weights[self.values.index(state[self.target])])
        numbers = " · ".join(num4(factor.table) for factor in step.used)
        lines = [
            f"{numbers} = {num(step.term)}",
            f"Sum of {event} so far: {total}",
            *(f"{factor.name} = {num(factor.table)}" for factor in step.used),
        ]
        caption = f"State {listing}: {num4(step.term)} is added to {event}."
        return caption, list(map(Formula, lines))

    def _eliminate(self, step: ExactInferenceStep) -> tuple[str, Blocks]:
        assert step.result is not None
        names = " · ".join(factor.name for factor in step.used)
        n = count(len(step.used), "factor", "factors")
        over = ", ".join(step.result.variables)
        caption = f"{step.variable} is summed out of {n}; {step.result.name} depends on {over}."
        if np.allclose(step.result.table, 1.0):
            caption = f"{step.variable} is summed out of {n}: the sum is 1."
        formula = Formula(f"{step.result.name}({over}) = Σ over {step.variable} of {names}")
        whole = replace(product(step.used), name=names)
        return caption, [formula, self.table(whole), self.table(step.result)]

    def _multiply(self, step: ExactInferenceStep) -> tuple[str, Blocks]:
        assert step.weights is not None
        numbers, n = self._listing(step.weights), len(step.used)
        caption = (
            f"The {n} factors that are left depend on {self.target} alone: their product is "
            f"{numbers}."
        )
        if n == 1:
            caption = f"The factor that is left depends on {self.target} alone: it is {numbers}."
        products = [
            " · ".join(num4(factor.table[code]) for factor in step.used if factor.variables)
            for code in range(len(self.values))
        ]
        lines = [
            f"{value}: {terms} = {num(weight)}"
            for value, terms, weight in zip(self.values, products, step.weights, strict=True)
        ]
        return caption, [*map(Formula, lines), *map(self.table, step.used[:MAX_TABLES])]

    def _normalise(self, step: ExactInferenceStep) -> tuple[str, Blocks]:
        assert step.weights is not None
        assert step.result is not None
        weights = step.result.table
        total = " + ".join(num(weight) for weight in weights)
        lines = [
            f"P({self.target} = {value}{self.given}) = {num(weight)} / ({total}) = {num(share)}"
            for value, weight, share in zip(self.values, weights, step.weights, strict=True)
        ]
        caption = f"P({self.target}{self.given}) is {self._listing(step.weights)}."
        if self.observed:
            caption = f"Divided by P(evidence) = {num4(weights.sum())}, {caption}"
        return caption, [*map(Formula, lines), self._independence()]

    def _listing(self, numbers: Floats) -> str:
        pairs = zip(numbers, self.values, strict=True)
        return ", ".join(f"{num4(number)} for {value}" for number, value in pairs)

    def table(self, factor: Factor) -> LedgerTable:
        """Return the numbers of a factor, the values of its last variable side by side."""
        if not factor.variables:
            return LedgerTable(("number",), [[short(factor.table)]], factor.name)
        *states, last = factor.variables
        values = [self.problem.by_name[name].values for name in states]
        columns = self.problem.by_name[last].values
        rows: list[list[Cell]] = [
            [
                *(names[code] for names, code in zip(values, index, strict=True)),
                *map(short, factor.table[index]),
            ]
            for index in np.ndindex(factor.table.shape[:-1])
        ]
        head = (*states, *(f"{last} = {value}" for value in columns))
        return short_table(head, rows, factor.name, max_rows=MAX_ROWS, of="states")
