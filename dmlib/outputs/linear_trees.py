"""Trees with linear tests as Python: nested ifs, or memberships where a row goes both ways."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dmlib.classification.tree_variants.linear_tree import LinearTree, Terms
from dmlib.outputs.ensembles import MAX_LINES
from dmlib.outputs.trees import HEADER, MAX_DEPTH, Reader, nested
from dmlib.problem import Problem

TITLE = "A tree of linear tests."
BELOW = '''

def below(value, threshold, width):
    """Return the membership in the first branch: it falls from 1 to 0 within the width."""
    if width == 0:
        return float(value <= threshold)
    return min(max(0.5 + (threshold - value) / width, 0.0), 1.0)
'''


def linear_tree_code(model: Any, problem: Problem) -> str:
    """Return a fitted oblique, fuzzy or incremental tree as Python; empty if it is long.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import IncrementalTree
    >>> from dmlib.problem import prepare
    >>> table = pd.DataFrame({"a": [0.0, 1.0, 8.0, 9.0], "c": list("xxyy")})
    >>> problem = prepare(table, ["a"], target="c", labelled=True)
    >>> model = IncrementalTree(min_samples_leaf=1, random_state=0).fit(problem.X, problem.y)
    >>> namespace = {}
    >>> exec(linear_tree_code(model, problem), namespace)
    >>> namespace["predict"]({"a": 0.5})
    'x'
    """
    tree: LinearTree = model.tree_
    if tree.node_count > MAX_LINES or tree.max_depth > MAX_DEPTH:
        return ""
    values = _values(model._terms, Reader(problem))
    names = [problem.classes[code] for code in model.classes_]
    header = HEADER.format(title=TITLE, imports="", answer="the class", note="")
    if (tree.widths > 0).any():
        code = "\n".join([*_memberships(tree, values, names), BELOW])
    else:
        answers = tree.predictions

        def conditions(node: int) -> list[str]:
            return [] if tree.is_leaf[node] else [_condition(tree, node, values), ""]

        code = "\n".join([*nested(tree, conditions, lambda node: repr(names[answers[node]])), ""])
    return header + code if (header + code).count("\n") <= MAX_LINES else ""


def _values(terms: Terms, reader: Reader) -> list[str]:
    """Return the expression of each term; an indicator is a comparison."""
    expressions = []
    for column, code in zip(terms.source, terms.value, strict=True):
        value, names = reader.value(column), terms.columns.categories[column]
        is_number = code < 0 or names is None
        expressions.append(value if is_number else f"{value} == {str(names[code])!r}")
    return expressions


def _sum(tree: LinearTree, node: int, values: Sequence[str]) -> str:
    """Return the weighted sum of the test of a node."""
    weights = tree.weights[node].tolist()
    terms = [(weight, values[i]) for i, weight in enumerate(weights) if weight]
    if len(terms) == 1 and terms[0][0] == 1:
        return terms[0][1]
    products = [f"{weight!r} * {_factor(value)}" for weight, value in terms]
    return " + ".join(products) or "0.0"


def _factor(value: str) -> str:
    """Return an expression as a factor: in brackets, unless it is a cell of the row."""
    return value if value.startswith("row[") else f"({value})"


def _condition(tree: LinearTree, node: int, values: Sequence[str]) -> str:
    """Return the condition of the first branch."""
    value, threshold = _sum(tree, node, values), float(tree.thresholds[node])
    if " == " in value and "*" not in value and 0 <= threshold < 1:
        return value.replace(" == ", " != ", 1)
    return f"({value}) <= {threshold!r}" if " == " in value else f"{value} <= {threshold!r}"


def _memberships(tree: LinearTree, values: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    """Yield the body of a function: the membership in each node, and the mean of the leaves."""
    values_of_leaves = tree.value[:, 0] if tree.labels is None else tree.labels
    yield "    node_0 = 1.0"
    leaves, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        if tree.is_leaf[node]:
            leaves.append(f"        (node_{node}, {values_of_leaves[node].tolist()!r}),")
            continue
        first, second = tree.children[node].tolist()
        threshold, width = float(tree.thresholds[node]), float(tree.widths[node])
        yield f"    share = below({_sum(tree, node, values)}, {threshold!r}, {width!r})"
        yield f"    node_{first}, node_{second} = node_{node} * share, node_{node} * (1 - share)"
        waiting += [first, second]
    yield f"    classes, sums = {list(names)!r}, [0.0] * {len(names)}"
    yield "    for membership, frequencies in ("
    yield from leaves
    yield "    ):"
    yield "        sums = [a + membership * b for a, b in zip(sums, frequencies)]"
    yield "    return classes[sums.index(max(sums))]"
