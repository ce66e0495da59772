"""Bayesian networks of the literature, with the tables that their authors give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dmlib.datasets.table import TableError

MAX_VALUES = 100
"""A node of the reader's own has at most so many values."""


@dataclass(frozen=True, eq=False)
class NetworkNode:
    """A variable of a network.

    Attributes
    ----------
    name : str
        What it is called.
    values : tuple of str
        Its values.
    parents : tuple of str
        The nodes that point to it.
    table : ndarray of shape (*n_values_of_parents, n_values)
        Its probabilities for each state of the parents.
    """

    name: str
    values: tuple[str, ...]
    parents: tuple[str, ...]
    table: NDArray[np.float64]


TEXTS: Mapping[str, str] = {
    "burglary": """
        burglary: yes 0.001, no 0.999
        earthquake: yes 0.002, no 0.998
        alarm | burglary = yes, earthquake = yes: yes 0.95, no 0.05
        alarm | burglary = yes, earthquake = no: yes 0.94, no 0.06
        alarm | burglary = no, earthquake = yes: yes 0.29, no 0.71
        alarm | burglary = no, earthquake = no: yes 0.001, no 0.999
        john_calls | alarm = yes: yes 0.9, no 0.1
        john_calls | alarm = no: yes 0.05, no 0.95
        mary_calls | alarm = yes: yes 0.7, no 0.3
        mary_calls | alarm = no: yes 0.01, no 0.99
    """,
    "sprinkler": """
        cloudy: yes 0.5, no 0.5
        sprinkler | cloudy = yes: yes 0.1, no 0.9
        sprinkler | cloudy = no: yes 0.5, no 0.5
        rain | cloudy = yes: yes 0.8, no 0.2
        rain | cloudy = no: yes 0.2, no 0.8
        wet_grass | sprinkler = yes, rain = yes: yes 0.99, no 0.01
        wet_grass | sprinkler = yes, rain = no: yes 0.9, no 0.1
        wet_grass | sprinkler = no, rain = yes: yes 0.9, no 0.1
        wet_grass | sprinkler = no, rain = no: yes 0, no 1
    """,
    "heart_network": """
        exercise: yes 0.7, no 0.3
        diet: healthy 0.25, unhealthy 0.75
        heart_disease | exercise = yes, diet = healthy: yes 0.25, no 0.75
        heart_disease | exercise = yes, diet = unhealthy: yes 0.45, no 0.55
        heart_disease | exercise = no, diet = healthy: yes 0.55, no 0.45
        heart_disease | exercise = no, diet = unhealthy: yes 0.75, no 0.25
        heartburn | diet = healthy: yes 0.2, no 0.8
        heartburn | diet = unhealthy: yes 0.85, no 0.15
        blood_pressure | heart_disease = yes: high 0.85, low 0.15
        blood_pressure | heart_disease = no: high 0.2, low 0.8
        chest_pain | heart_disease = yes, heartburn = yes: yes 0.8, no 0.2
        chest_pain | heart_disease = yes, heartburn = no: yes 0.6, no 0.4
        chest_pain | heart_disease = no, heartburn = yes: yes 0.4, no 0.6
        chest_pain | heart_disease = no, heartburn = no: yes 0.1, no 0.9
    """,
    "asia": """
        visit_to_asia: yes 0.01, no 0.99
        smoker: yes 0.5, no 0.5
        tuberculosis | visit_to_asia = yes: yes 0.05, no 0.95
        tuberculosis | visit_to_asia = no: yes 0.01, no 0.99
        lung_cancer | smoker = yes: yes 0.1, no 0.9
        lung_cancer | smoker = no: yes 0.01, no 0.99
        bronchitis | smoker = yes: yes 0.6, no 0.4
        bronchitis | smoker = no: yes 0.3, no 0.7
        either | tuberculosis = yes, lung_cancer = yes: yes 1, no 0
        either | tuberculosis = yes, lung_cancer = no: yes 1, no 0
        either | tuberculosis = no, lung_cancer = yes: yes 1, no 0
        either | tuberculosis = no, lung_cancer = no: yes 0, no 1
        x_ray | either = yes: abnormal 0.98, normal 0.02
        x_ray | either = no: abnormal 0.05, normal 0.95
        dyspnoea | either = yes, bronchitis = yes: yes 0.9, no 0.1
        dyspnoea | either = yes, bronchitis = no: yes 0.7, no 0.3
        dyspnoea | either = no, bronchitis = yes: yes 0.8, no 0.2
        dyspnoea | either = no, bronchitis = no: yes 0.1, no 0.9
    """,
}


def network(name: str) -> tuple[NetworkNode, ...]:
    """Return the nodes of a network by its name, parents before their children.

    Examples
    --------
    >>> [node.name for node in network("sprinkler")]
    ['cloudy', 'sprinkler', 'rain', 'wet_grass']
    """
    return parse_network(TEXTS[name])


def parse_network(text: str) -> tuple[NetworkNode, ...]:
    """Return the nodes that a text describes, one distribution on each line.

    Parameters
    ----------
    text : str
        Lines such as ``rain | cloudy = yes: yes 0.8, no 0.2``, one for each state of the parents.

    Returns
    -------
    tuple of NetworkNode
        In the order of the lines.

    Raises
    ------
    ValueError
        If a line cannot be read, a parent does not come before its child, a state is missing, or
        probabilities do not sum to 1.

    Examples
    --------
    >>> rain, grass = parse_network('''
    ... rain: yes 0.2, no 0.8
    ... grass | rain = yes: wet 0.9, dry 0.1
    ... grass | rain = no: wet 0.1, dry 0.9
    ... ''')
    >>> grass.parents, grass.table.tolist()
    (('rain',), [[0.9, 0.1], [0.1, 0.9]])
    """
    lines: dict[str, list[tuple[dict[str, str], dict[str, float]]]] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, state, distribution = _line(line)
        lines.setdefault(name, []).append((state, distribution))
    nodes: dict[str, NetworkNode] = {}
    for name, states in lines.items():
        nodes[name] = _node(name, states, nodes)
    return tuple(nodes.values())


def in_order(nodes: Sequence[NetworkNode]) -> tuple[NetworkNode, ...]:
    """Return nodes with parents before their children, otherwise in their order.

    Raises
    ------
    TableError
        If there is a cycle.

    Examples
    --------
    >>> rain, grass = parse_network('''
    ... rain: yes 0.2, no 0.8
    ... grass | rain = yes: wet 0.9, dry 0.1
    ... grass | rain = no: wet 0.1, dry 0.9
    ... ''')
    >>> [node.name for node in in_order([grass, rain])]
    ['rain', 'grass']
    """
    import networkx as nx

    by_name = {node.name: node for node in nodes}
    graph = nx.DiGraph((parent, node.name) for node in nodes for parent in node.parents)
    graph.add_nodes_from(by_name)
    if not nx.is_directed_acyclic_graph(graph):
        cycle = [parent for parent, _ in nx.find_cycle(graph)]
        way = " → ".join([*cycle, cycle[0]])
        raise TableError("cycle", f"A network has no cycle, but {way} is one. Remove an edge.")
    numbers = {name: number for number, name in enumerate(by_name)}
    order = nx.lexicographical_topological_sort(graph, key=numbers.__getitem__)
    return tuple(by_name[name] for name in order)


def _line(line: str) -> tuple[str, dict[str, str], dict[str, float]]:
    head, _, tail = line.rpartition(":")
    name, _, condition = head.partition("|")
    try:
        state = dict(part.split("=") for part in condition.split(",") if condition.strip())
        pairs = [part.rsplit(None, 1) for part in tail.split(",")]
        distribution = {value.strip(): float(number) for value, number in pairs}
        if not name.strip():
            raise ValueError("a line without a colon")
    except ValueError:
        raise ValueError(
            f"The line {line!r} is no distribution. Write 'name | parent = value: value 0.8, ...'."
        ) from None
    return name.strip(), {key.strip(): value.strip() for key, value in state.items()}, distribution


def _node(
    name: str,
    states: list[tuple[dict[str, str], dict[str, float]]],
    nodes: Mapping[str, NetworkNode],
) -> NetworkNode:
    """Return a node from the distributions in all states of its parents."""
    parents, values = tuple(states[0][0]), tuple(states[0][1])
    unknown = [parent for parent in parents if parent not in nodes]
    if unknown:
        raise ValueError(f"{name} depends on {unknown[0]}, which must come before it.")
    shape = [len(nodes[parent].values) for parent in parents]
    table = np.full((*shape, len(values)), np.nan)
    for state, distribution in states:
        is_alike = set(state) == set(parents) and set(distribution) == set(values)
        if not is_alike or any(state[each] not in nodes[each].values for each in parents):
            raise ValueError(f"All lines of {name} need the same parents and values.")
        place = tuple(nodes[parent].values.index(state[parent]) for parent in parents)
        table[place] = [distribution[value] for value in values]
    if np.isnan(table).any():
        raise ValueError(f"{name} needs a line for each state of its parents.")
    if (table < 0).any() or not np.allclose(table.sum(axis=-1), 1.0):
        raise ValueError(f"Each line of {name} needs probabilities that sum to 1.")
    return NetworkNode(name, values, parents, table)
