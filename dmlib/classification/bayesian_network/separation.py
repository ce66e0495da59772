"""d-separation: which evidence makes two nodes of a network independent."""

from __future__ import annotations

from collections.abc import Collection, Mapping


def dependent_nodes(
    parents: Mapping[str, Collection[str]], start: str, evidence: Collection[str]
) -> set[str]:
    """Return the nodes that some open path joins to ``start``, those observed left out.

    A path is open at a chain or a fork whose middle is not observed, and at a collider that is
    observed or has an observed descendant.

    Parameters
    ----------
    parents : mapping of str to collection of str
        The parents of each node.
    start : str
        Where the paths begin.
    evidence : collection of str
        The observed nodes.

    References
    ----------
    R. D. Shachter (1998), Bayes-ball. D. Koller and N. Friedman (2009), Probabilistic Graphical
    Models, algorithm 3.1.

    Examples
    --------
    >>> parents = {"burglary": (), "earthquake": (), "alarm": ("burglary", "earthquake")}
    >>> dependent_nodes(parents, "burglary", []), dependent_nodes(parents, "burglary", ["alarm"])
    ({'alarm'}, {'earthquake'})
    """
    children: dict[str, list[str]] = {name: [] for name in parents}
    for name, above in parents.items():
        for parent in above:
            children[parent].append(name)
    informed = with_ancestors(parents, evidence)
    reached: set[str] = set()
    visited: set[tuple[str, bool]] = set()
    waiting = [(start, True)]  # a node, and whether it was come to from below
    while waiting:
        node, from_below = waiting.pop()
        if (node, from_below) in visited:
            continue
        visited.add((node, from_below))
        is_observed = node in evidence
        if not is_observed:
            reached.add(node)
            waiting += [(child, False) for child in children[node]]
        is_open_upwards = not is_observed if from_below else node in informed
        if is_open_upwards:
            waiting += [(parent, True) for parent in parents[node]]
    return reached - {start}


def with_ancestors(parents: Mapping[str, Collection[str]], nodes: Collection[str]) -> set[str]:
    """Return nodes with all their ancestors.

    Examples
    --------
    >>> sorted(with_ancestors({"a": (), "b": ("a",), "c": ("b",), "d": ()}, ["b"]))
    ['a', 'b']
    """
    result: set[str] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if node not in result:
            result.add(node)
            waiting += parents[node]
    return result
