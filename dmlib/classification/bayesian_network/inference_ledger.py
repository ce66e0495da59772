"""Exact inference in words and numbers: tables, products of factors and sums."""

from __future__ import annotations

import numpy as np

from dmlib.classification.bayesian_network.exact_inference import ExactInference, ExactInferenceStep
from dmlib.classification.bayesian_network.factor import Factor, product
from dmlib.classification.bayesian_network.separation import with_ancestors
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, short
from dmlib.problem import NetworkProblem

MAX_ROWS = 16  # of a factor's table
MAX_TABLES = 6  # factors that are listed with their numbers
MAX_NAMED = 4  # nodes in a sentence


class Narrator:
    """Captions and ledgers of exact inference.

    Parameters
    ----------
    problem : NetworkProblem
        The question.
    model : ExactInference
        Fitted.
    """

    def __init__(self, problem: NetworkProblem, model: ExactInference) -> None:
        self.problem, self.model = problem, model
        observed = ", ".join(f"{name} = {value}" for name, value in problem.evidence.items())
        self.given = f" | {observed}" if observed else ""
        self.values = problem.by_name[problem.target].values
        # of any other node all probabilities of what is below it sum to 1
        parents = {node.name: node.parents for node in problem.nodes}
        self.informed = with_ancestors(parents, {problem.target, *problem.evidence})

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: ExactInferenceStep = moment.step
        tell = {
            "tables": self._tables,
            "observe": self._observe,
            "enumerate": self._enumerate,
            "eliminate": self._eliminate,
            "multiply": self._multiply,
            "normalise": self._normalise,
        }
        return tell[step.phase](step)

    def _tables(self, step: ExactInferenceStep) -> tuple[str, Blocks]:
        n = len(step.factors)
        caption = (
            f"The joint distribution is the product of {count(n, 'table', 'tables')}, one for each "
            f"node given its parents; asked for is P({self.problem.target}{self.given})."
        )
        terms = [factor.name for factor in step.factors]
        formula = Formula(f"P({', '.join(self.problem.names)}) = {' · '.join(terms)}")
        return caption, [formula, *map(self.table, step.factors[:MAX_TABLES])]

    def _observe(self, step: ExactInferenceStep) -> tuple[str, Blocks]:
        """Say which rows of the tables agree with the evidence, and who is independent then."""
        evidence = self.problem.evidence
        if evidence:
            listing = ", ".join(f"{name} = {value}" for name, value in evidence.items())
            caption = f"Observed: {listing}; of each table only the rows that agree are left."
        else:
            caption = "Nothing is observed: all rows of the tables count."
        blocks: Blocks = [Formula(self._independence())]
        names = set(evidence)
        changed = [
            factor
            for node, factor in zip(self.problem.nodes, step.factors, strict=True)
            if names & {node.name, *node.parents}
        ]
        return caption, [*blocks, *map(self.table, changed[:MAX_TABLES])]

    def _independence(self) -> str:
        names = list(self.model.independent_)
        given = "given the evidence" if self.problem.evidence else "as long as nothing is observed"
        if not names:
            return f"d-separation: no other node is independent of {self.problem.target} {given}"
        listing = abridged(names, MAX_NAMED, ", ")
        verb = "is" if len(names) == 1 else "are"
        return f"d-separation: {listing} {verb} independent of {self.problem.target} {given}"

    def _enumerate(self, step: ExactInferenceStep) -> tuple[str, Blocks]:
        nodes = zip(self.problem.nodes, step.state, strict=True)
        state = {node.name: node.values[code] for node, code in nodes}
        unknown = {name: v for name, v in state.items() if name not in self.problem.evidence}
        listing = ", ".join(f"{name} = {value}" for name, value in unknown.items())
        numbers = " · ".join(num4(factor.table) for factor in step.used)
        terms = [f"{factor.name} = {num(factor.table)}" for factor in step.used]
        value = state[self.problem.target]
        assert step.weights is not None
        total = step.weights[self.values.index(value)]
        caption = f"State {listing}: {num4(step.term)} is added to {self.problem.target} = {value}."
        blocks: Blocks = [
            Formula(f"{numbers} = {num(step.term)}"),
            Formula(f"Sum of {self.problem.target} = {value} so far: {num(total)}"),
            *map(Formula, terms),
        ]
        return caption, [*blocks, self._products(step)]

    def _eliminate(self, step: ExactInferenceStep) -> tuple[str, Blocks]:
        assert step.result is not None
        names = [factor.name for factor in step.used]
        over = ", ".join(step.result.variables) or "nothing"
        caption = f"{step.variable} is summed out of {count(len(names), 'factor', 'factors')}"
        if step.variable not in self.informed:
            caption += ": the sum is 1, since nothing below it is observed."
        else:
            caption += f"; {step.result.name} depends on {over}."
        formula = f"{_signature(step.result)} = Σ over {step.variable} of {' · '.join(names)}"
        whole = product(step.used)
        titled = Factor(whole.variables, whole.table, " · ".join(names))
        return caption, [
            Formula(formula),
            self.table(titled),
            self.table(step.result),
            self._products(step),
        ]

    def _multiply(self, step: ExactInferenceStep) -> tuple[str, Blocks]:
        assert step.result is not None
        target = self.problem.target
        numbers = ", ".join(
            f"{num4(weight)} for {value}"
            for weight, value in zip(step.result.table, self.values, strict=True)
        )
        n = len(step.used)
        caption = (
            f"The {n} factors that are left depend on {target} alone: their product is {numbers}."
        )
        if n == 1:
            caption = f"The factor that is left depends on {target} alone: it is {numbers}."
        blocks: Blocks = []
        for code, value in enumerate(self.values):
            numbers_of_value = [num4(factor.given({target: code}).table) for factor in step.used]
            weight = num(step.result.table[code])
            blocks.append(Formula(f"{value}: {' · '.join(numbers_of_value)} = {weight}"))
        return caption, [*blocks, *map(self.table, step.used[:MAX_TABLES]), self._products(step)]

    def _normalise(self, step: ExactInferenceStep) -> tuple[str, Blocks]:
        assert step.weights is not None
        assert step.result is not None
        target, weights = self.problem.target, step.result.table
        total = " + ".join(num(weight) for weight in weights)
        lines = [
            f"P({target} = {value}{self.given}) = {num(weight)} / ({total}) = {num(probability)}"
            for value, weight, probability in zip(self.values, weights, step.weights, strict=True)
        ]
        listing = ", ".join(
            f"{num4(probability)} for {value}"
            for probability, value in zip(step.weights, self.values, strict=True)
        )
        caption = f"P({target}{self.given}) is {listing}."
        if self.problem.evidence:
            caption = f"Divided by P(evidence) = {num4(weights.sum())}, {caption}"
        return caption, [*map(Formula, lines), Formula(self._independence()), self._products(step)]

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

    @staticmethod
    def _products(step: ExactInferenceStep) -> Formula:
        return Formula(f"Multiplications so far: {step.n_products}")


def _signature(factor: Factor) -> str:
    return f"{factor.name}({', '.join(factor.variables)})"
