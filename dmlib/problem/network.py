"""A Bayesian network, with what is known of its nodes and which of them is asked about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from dmlib.cached import cached_property
from dmlib.problem.undivided import Undivided

MAX_JOINT = 2**20
"""A network has at most so many states of all nodes together."""


class NetworkVariable(Protocol):
    """A node with its values, its parents and its table, as dmlib.datasets has them."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def values(self) -> tuple[str, ...]:
        """Its values."""

    @property
    def parents(self) -> tuple[str, ...]:
        """The names of its parents."""

    @property
    def table(self) -> NDArray[np.float64]:
        """Its probabilities, shape (*n_values_of_parents, n_values)."""


@dataclass(frozen=True, eq=False)
class NetworkProblem(Undivided):
    """A question about a network: P(target | evidence).

    Attributes
    ----------
    nodes : tuple of NetworkVariable
        The nodes, parents before their children.
    target : str
        The node that is asked about.
    evidence : mapping of str to str
        The observed nodes with their values.
    notes : tuple of str
        What is to be known of it, one sentence each.
    columns : tuple of str
        The columns of the table from which it was learned: each keeps its place in the picture.
    """

    nodes: tuple[NetworkVariable, ...]
    target: str
    evidence: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    @property
    def data(self) -> Self:
        """The question, as an algorithm gets it."""
        return self

    @property
    def arguments(self) -> tuple[Self]:
        """Arguments of ``fit`` and ``steps``: the question."""
        return (self,)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the nodes."""
        return tuple(node.name for node in self.nodes)

    @cached_property
    def by_name(self) -> Mapping[str, NetworkVariable]:
        """The nodes by their names."""
        return {node.name: node for node in self.nodes}

    @property
    def edges(self) -> list[tuple[int, int]]:
        """Parent and child of each edge, by their numbers."""
        return [
            (self.names.index(parent), child)
            for child, node in enumerate(self.nodes)
            for parent in node.parents
        ]

    @property
    def labels(self) -> list[str]:
        """The tooltip of each node."""
        return [
            f"{node.name}: {', '.join(node.values)}"
            + (f" (given {', '.join(node.parents)})" if node.parents else "")
            for node in self.nodes
        ]

    @property
    def rows(self) -> NDArray[np.intp]:
        """The numbers of the nodes."""
        return np.arange(len(self.nodes))


def prepare_network(
    nodes: Sequence[Any],
    target: str = "",
    evidence: Mapping[str, str] | None = None,
    columns: Sequence[str] = (),
) -> NetworkProblem:
    """Ask a network about one of its nodes.

    Parameters
    ----------
    nodes : sequence of dmlib.datasets.networks.NetworkNode
        The nodes, parents before their children.
    target : str
        The node that is asked about; by default the first one.
    evidence : mapping of str to str, optional
        The observed nodes with their values. What is known of the target itself is left out.
    columns : sequence of str
        The columns of the table from which it was learned: each has a place of its own in the
        picture, wherever edges lead. Without them parents are above their children.

    Returns
    -------
    NetworkProblem
        What the algorithm gets.

    Raises
    ------
    ValueError
        If there is no such node, or a node has no such value.

    Examples
    --------
    >>> from dmlib.datasets.networks import network
    >>> problem = prepare_network(network("sprinkler"), "rain", {"wet_grass": "yes"})
    >>> problem.evidence, problem.edges
    ({'wet_grass': 'yes'}, [(0, 1), (0, 2), (1, 3), (2, 3)])
    """
    if not nodes:
        raise ValueError("A network needs a node. Choose another one.")
    evidence = evidence or {}
    target = target or nodes[0].name
    _check({node.name: node.values for node in nodes}, target, evidence)
    known = {name: value for name, value in evidence.items() if name != target}
    notes = (f"{target} is asked about: what is observed of it is left out.",)
    is_known = len(known) < len(evidence)
    return NetworkProblem(tuple(nodes), target, known, notes if is_known else (), tuple(columns))


def _check(values: Mapping[str, Sequence[str]], target: str, evidence: Mapping[str, str]) -> None:
    """Raise ValueError where a network does not have what is asked, or has too many states."""
    for name in (target, *evidence):
        if name not in values:
            raise ValueError(f"The network has no node {name!r}. It has {', '.join(values)}.")
    for name, value in evidence.items():
        if value not in values[name]:
            raise ValueError(f"{name} cannot be {value!r}. It is {' or '.join(values[name])}.")
    check_states(values)


def check_states(values: Mapping[str, Sequence[str]]) -> None:
    """Raise ValueError where nodes with these values have too many states together.

    Examples
    --------
    >>> check_states({"rain": ("yes", "no"), "grass": ("wet", "dry")})
    """
    if np.prod([len(each) for each in values.values()], dtype=float) > MAX_JOINT:
        raise ValueError(f"The network has more than {MAX_JOINT:,} states. Choose a smaller one.")
