"""Exact inference in a network whose tables are known: enumeration, and variable elimination."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from itertools import product as combinations
from math import prod
from typing import Any, ClassVar, Literal, Self

import networkx as nx
import numpy as np
from sklearn.base import BaseEstimator

from dmlib.arrays import Floats
from dmlib.classification.bayesian_network.factor import Factor, product
from dmlib.params import Choice, Conditions, Param, Spoken, check_params
from dmlib.trace import look

Phase = Literal["tables", "observe", "enumerate", "eliminate", "multiply", "normalise"]

MAX_TERMS = 4096
"""Of more products than this, enumeration is refused."""


@dataclass(frozen=True)
class ExactInferenceStep:
    """One step of an inference.

    Attributes
    ----------
    phase : Phase
        The tables of the network; the part of them that agrees with the evidence; one product of
        enumeration; a variable is eliminated; the factors that are left are multiplied; the numbers
        of the target are divided by their sum.
    factors : tuple of Factor
        The factors after the step.
    variable : str
        On "eliminate": the variable.
    used : tuple of Factor
        The factors that the step multiplies.
    result : Factor or None
        What comes of them.
    state : tuple of int
        On "enumerate": the code of each node, in the order of the network.
    term : float
        Its product.
    n_products : int
        The number of multiplications so far.
    weights : ndarray of shape (n_values,)
        The numbers of the target's values, as far as they are known: of enumeration the sums so
        far, at the end the probabilities.
    """

    phase: Phase
    factors: tuple[Factor, ...]
    variable: str = ""
    used: tuple[Factor, ...] = ()
    result: Factor | None = None
    state: tuple[int, ...] = ()
    term: float = 0.0
    n_products: int = 0
    weights: Floats | None = None


class ExactInference(BaseEstimator):
    r"""Compute P(target | evidence) in a Bayesian network whose tables are known.

    The joint probability of a state of all nodes is the product of their tables,
    :math:`\prod_i P(x_i \mid \text{parents}(x_i))`. What is not observed is summed out: state by
    state, or variable by variable.

    Parameters
    ----------
    strategy : {"elimination", "enumeration"}, default="elimination"
        "enumeration" multiplies all tables for each state of the unobserved nodes. "elimination"
        sums one variable after the other out of the factors that contain it.
    order : {"smallest", "downwards", "upwards"}, default="smallest"
        Of elimination, which variable is next: that with the smallest product of factors, or in the
        order of the network, or in the reverse order.

    Attributes
    ----------
    probabilities_ : ndarray of shape (n_values,)
        P(target | evidence) of each value of the target.
    evidence_probability_ : float
        P(evidence).
    n_products_ : int
        How many multiplications were made.
    largest_ : int
        The number of cells of the largest product.
    independent_ : tuple of str
        The unobserved nodes that are d-separated from the target by the evidence.

    Raises
    ------
    ValueError
        If the evidence has the probability 0, or enumeration would take more than 4,096 products.

    Notes
    -----
    Enumeration takes O(2^n) products for n unobserved nodes of two values. Elimination takes as
    long as its largest factor is large, which depends on the order, and its result does not. The
    best order is NP-hard to find. Of equal sizes the first variable is taken.

    References
    ----------
    J. Pearl (1988), Probabilistic Reasoning in Intelligent Systems. N. L. Zhang and D. Poole
    (1994), A simple approach to Bayesian network computations. S. Russell and P. Norvig (2010),
    Artificial Intelligence, section 14.4.

    Examples
    --------
    >>> from dmlib.datasets import load
    >>> from dmlib.problem import prepare_network
    >>> calls = {"john_calls": "yes", "mary_calls": "yes"}
    >>> question = prepare_network(load("burglary").nodes, "burglary", calls)
    >>> ExactInference().fit(question).probabilities_.round(3).tolist()
    [0.284, 0.716]
    """

    APPLIES: ClassVar[Conditions] = {"order": ("strategy", ("elimination",))}
    SPOKEN: ClassVar[Spoken] = {
        "order": {
            "smallest": "smallest factor first",
            "downwards": "parents first",
            "upwards": "children first",
        }
    }
    PARAMS: ClassVar[dict[str, Param]] = {
        "strategy": Choice(("elimination", "enumeration")),
        "order": Choice(("smallest", "downwards", "upwards")),
    }

    def __init__(self, strategy: str = "elimination", *, order: str = "smallest") -> None:
        self.strategy = strategy
        self.order = order

    def fit(self, X: Any, y: Any = None) -> Self:
        """Answer a question about a network, such as that of `dmlib.problem.prepare_network`."""
        self.largest_ = 0
        for step in self.steps(X):
            if step.result is not None:
                self.largest_ = max(self.largest_, _size(step.used))
        assert step.result is not None
        assert step.weights is not None
        self.probabilities_ = step.weights
        self.evidence_probability_ = float(step.result.table.sum())
        self.n_products_ = step.n_products
        self.independent_ = independent_nodes(X)
        return self

    def steps(self, X: Any, y: Any = None) -> Iterator[ExactInferenceStep]:
        """Yield the tables, the evidence, each product or elimination, and the probabilities."""
        check_params(self.PARAMS, self.get_params())
        if not hasattr(X, "evidence") or not hasattr(X, "nodes"):
            raise ValueError(
                "X must be a question about a network. Make one with dmlib.problem.prepare_network."
            )
        factors = tuple(
            Factor((*node.parents, node.name), node.table, _name(node)) for node in X.nodes
        )
        step = ExactInferenceStep("tables", factors)
        yield step
        codes = {name: X.by_name[name].values.index(value) for name, value in X.evidence.items()}
        step = replace(
            step, phase="observe", factors=tuple(factor.restricted(codes) for factor in factors)
        )
        yield step
        make = self._enumeration if self.strategy == "enumeration" else self._elimination
        for next_step in make(X, codes, step):
            step = next_step
            yield step
        assert step.result is not None
        total = step.result.table.sum()
        if not total:
            raise ValueError(
                "This evidence has the probability 0, so nothing follows from it. Observe less."
            )
        yield replace(step, phase="normalise", used=(), weights=step.result.table / total)

    def _enumeration(
        self, X: Any, codes: dict[str, int], step: ExactInferenceStep
    ) -> Iterator[ExactInferenceStep]:
        ranges = [
            [codes[node.name]] if node.name in codes else range(len(node.values))
            for node in X.nodes
        ]
        n_terms = prod(map(len, ranges))
        if n_terms > MAX_TERMS:
            raise ValueError(
                f"Enumeration would take {n_terms:,} products. Use variable elimination, or observe"
                " more."
            )
        place = X.names.index(X.target)
        weights = np.zeros(len(ranges[place]))
        for state in sorted(combinations(*ranges), key=lambda state: state[place]):
            look()
            values = dict(zip(X.names, state, strict=True))
            used = tuple(factor.restricted(values) for factor in step.factors)
            term = float(product(used).table)
            weights = weights + term * np.eye(len(weights))[state[place]]
            result = Factor((X.target,), weights)
            step = self._multiplied(step, "enumerate", used, result, weights=weights)
            step = replace(step, state=state, term=term)
            yield step

    def _elimination(
        self, X: Any, codes: dict[str, int], step: ExactInferenceStep
    ) -> Iterator[ExactInferenceStep]:
        hidden = [name for name in X.names if name != X.target and name not in codes]
        for number in range(1, len(hidden) + 1):
            look()
            variable = self._next(hidden, step.factors)
            hidden.remove(variable)
            used = tuple(each for each in step.factors if variable in each.variables)
            others = tuple(each for each in step.factors if variable not in each.variables)
            result = replace(product(used).without(variable), name=f"f{number}")
            factors = (*others, result)
            step = self._multiplied(
                step, "eliminate", used, result, factors=factors, variable=variable
            )
            yield step
        result = product(step.factors)
        yield self._multiplied(
            step, "multiply", step.factors, result, variable="", weights=result.table
        )

    @staticmethod
    def _multiplied(
        step: ExactInferenceStep,
        phase: Phase,
        used: tuple[Factor, ...],
        result: Factor,
        **fields: Any,
    ) -> ExactInferenceStep:
        """Return the step after one that multiplies factors."""
        n_products = step.n_products + (len(used) - 1) * _size(used)
        return replace(step, phase=phase, used=used, result=result, n_products=n_products, **fields)

    def _next(self, hidden: Sequence[str], factors: Sequence[Factor]) -> str:
        """Return the variable that is eliminated next."""
        if self.order != "smallest":
            return hidden[0 if self.order == "downwards" else -1]
        return min(
            hidden, key=lambda name: _size([each for each in factors if name in each.variables])
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # it takes a network
        return tags


def independent_nodes(X: Any) -> tuple[str, ...]:
    """Return the unobserved nodes that the evidence d-separates from the target of a question.

    Examples
    --------
    >>> from dmlib.datasets import load
    >>> from dmlib.problem import prepare_network
    >>> nodes = load("burglary").nodes
    >>> independent_nodes(prepare_network(nodes, "burglary"))
    ('earthquake',)
    >>> independent_nodes(prepare_network(nodes, "burglary", {"alarm": "yes"}))
    ('john_calls', 'mary_calls')
    """
    graph = nx.DiGraph([(parent, node.name) for node in X.nodes for parent in node.parents])
    graph.add_nodes_from(X.names)
    unknown = [name for name in X.names if name != X.target and name not in X.evidence]
    evidence = set(X.evidence)
    is_separated = [nx.is_d_separator(graph, {X.target}, {name}, evidence) for name in unknown]
    return tuple(compress(unknown, is_separated))


def _size(factors: Sequence[Factor]) -> int:
    """Return the number of cells of a product of factors."""
    lengths: dict[str, int] = {}
    for factor in factors:
        lengths |= dict(zip(factor.variables, factor.table.shape, strict=True))
    return prod(lengths.values())


def _name(node: Any) -> str:
    given = f" | {', '.join(node.parents)}" if node.parents else ""
    return f"P({node.name}{given})"
