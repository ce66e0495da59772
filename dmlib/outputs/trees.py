"""Trees as Python that one can read: a function with ifs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.problem import Problem
from dmlib.regression.knn_tree_regression.tree import RegressionTree
from dmlib.trees.nodes import Nodes
from dmlib.trees.split_nodes import SplitNodes
from dmlib.trees.splits import Split
from dmlib.trees.tree import Tree

MAX_DEPTH = 80  # of nested ifs; Python reads a hundred
INDENT = "    "
HEADER = '''"""{title}"""
{imports}

def predict(row):
    """Return {answer} of a row, a mapping of column names to values{note}."""
'''
READERS = '''

def number(row, name):
    """Return the number in a column; NaN if it is missing."""
    value = math.nan if row[name] is None else float(row[name])
    return value if math.isfinite(value) else math.nan


def text(row, name):
    """Return the text in a column; None if it is missing."""
    value = row[name]
    return None if value is None or value != value else str(value)
'''
MIXTURE = '''

def mixture(*parts):
    """Return the weighted sum of what leaves say: the row goes down several branches."""
    return [sum(share * x[i] for share, x in parts) for i in range(len(parts[0][1]))]
'''


@dataclass(frozen=True)
class Reader:
    """How code reads the columns of a row.

    Attributes
    ----------
    problem : Problem
        The data, with the names and the scaling of their columns.
    has_holes : bool
        Whether values may be missing.
    """

    problem: Problem
    has_holes: bool = False

    def value(self, column: int) -> str:
        """Return an expression for the value of a column, scaled as the model takes it."""
        problem, name = self.problem, repr(self.problem.features[column])
        if column in problem.categories:
            return f"text(row, {name})" if self.has_holes else f"str(row[{name}])"
        value = f"number(row, {name})" if self.has_holes else f"row[{name}]"
        if problem.shift is None or problem.unit is None:
            return value
        return f"({value} - {problem.shift[column]!s}) / {problem.unit[column]!s}"

    def conditions(self, split: Split) -> list[str]:
        """Return the condition of each branch; empty for a branch that no value takes."""
        value = self.value(split.column)
        if split.thresholds:
            cuts = [f"{value} <= {cut!r}" for cut in split.thresholds if np.isfinite(cut)]
            last = f"{value} > {split.thresholds[-1]!r}"
            if split.thresholds == (np.inf,):
                return [f"{value} == {value}", ""]
            return [*cuts, last]
        names = self.problem.categories[split.column]
        groups: list[list[str]] = [[] for _ in range(split.n_branches)]
        for branch, name in zip(split.branches, names, strict=False):
            if branch >= 0:
                groups[branch].append(name)
        return [_membership(value, group) for group in groups]


def tree_code(model: Any, problem: Problem, *, has_holes: bool = False) -> str:
    """Return a fitted tree as a Python function of a row.

    Parameters
    ----------
    model : estimator
        A fitted tree whose nodes test one column each.
    problem : Problem
        The data that it was fitted to.
    has_holes : bool
        Whether rows may have missing values, or values that a node did not see.

    Returns
    -------
    str
        A module with ``predict(row)``, in the units of the table.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import DecisionTreeClassifier
    >>> from dmlib.problem import prepare
    >>> table = pd.DataFrame({"a": [0.0, 1.0, 9.0], "c": list("xyy")})
    >>> problem = prepare(table, ["a"], target="c", labelled=True)
    >>> model = DecisionTreeClassifier().fit(problem.X, problem.y)
    >>> print(tree_code(model, problem))
    \"\"\"A decision tree.\"\"\"
    <BLANKLINE>
    <BLANKLINE>
    def predict(row):
        \"\"\"Return the class of a row, a mapping of column names to values.\"\"\"
        if row['a'] <= 0.5:
            return 'x'
        else:
            return 'y'
    <BLANKLINE>
    """
    tree = model.tree_
    is_number = isinstance(tree, RegressionTree)
    classes = [] if is_number else [problem.classes[code] for code in model.classes_]
    if has_holes or has_gaps(tree) or tree.max_depth > MAX_DEPTH:
        return _functions(tree, classes, Reader(problem, has_holes=True))
    reader = Reader(problem)
    answer = _number_of(model, reader) if is_number else _class_of(tree, classes)

    def conditions(node: int) -> list[str]:
        split = tree.splits.split(node)
        return [] if split is None else reader.conditions(split)

    lines = nested(tree, conditions, answer)
    title, what = (
        ("A regression tree.", "the number") if is_number else ("A decision tree.", "the class")
    )
    header = HEADER.format(title=title, imports="", answer=what, note="")
    return header + "\n".join(lines) + "\n"


def _class_of(tree: Tree, classes: Sequence[str]) -> Callable[[int], str]:
    """Return a function that writes the class of a leaf."""
    predictions = tree.predictions
    return lambda node: repr(classes[predictions[node]])


def _number_of(model: Any, reader: Reader) -> Callable[[int], str]:
    """Return a function that writes the number of a leaf, or its line."""
    lines: Floats | None = getattr(model, "lines_", None)

    def answer(node: int) -> str:
        if lines is None:
            return repr(float(model.tree_.value[node]))
        constant, *slopes = lines[node].tolist()
        terms = [f" + {slope!r} * ({reader.value(j)})" for j, slope in enumerate(slopes) if slope]
        return repr(constant) + "".join(terms)

    return answer


def nested(
    tree: Nodes, conditions: Callable[[int], list[str]], answer: Callable[[int], str]
) -> Iterator[str]:
    """Yield the lines of nested ifs: the conditions of the branches of each node, or its answer."""
    waiting: list[tuple[str, int, int]] = [("", 0, 1)]
    while waiting:
        line, node, depth = waiting.pop()
        if line:
            yield INDENT * (depth - 1) + line
        texts = conditions(node)
        if not texts:
            yield f"{INDENT * depth}return {answer(node)}"
            continue
        children = [child for child in tree.children[node].tolist() if child >= 0]
        heads = [f"if {texts[0]}:", *(f"elif {text}:" for text in texts[1:-1]), "else:"]
        below = zip(heads, children, [depth + 1] * len(children), strict=True)
        waiting += reversed(list(below))


def has_gaps(tree: SplitNodes) -> bool:
    """Return whether a node does not say where every value goes."""
    splits = [tree.splits.split(node) for node in range(tree.node_count)]
    return tree.surrogates is not None or any(
        split is not None and (split.missing >= 0 or -1 in split.branches) for split in splits
    )


def _functions(tree: Any, names: Sequence[str], reader: Reader) -> str:
    """Return a tree as one function for each node: rows may go down several branches."""
    is_number = isinstance(tree, RegressionTree)
    kind = "regression" if is_number else "decision"
    header = HEADER.format(
        title=f"A {kind} tree; a missing value is None or NaN.",
        imports="\nimport math\n",
        answer="the number" if is_number else "the class",
        note="",
    )
    parts = [header, f"    frequencies = node_0(row)\n    classes = {list(names)!r}\n"]
    if is_number:
        parts = [header, "    return node_0(row)[0]\n"]
    elif tree.costs is None:
        parts.append("    return classes[frequencies.index(max(frequencies))]\n")
    else:
        scaled = (tree.costs / tree.costs.sum(axis=1, keepdims=True)).tolist()
        parts.append(
            f"    costs = {scaled!r}\n"
            "    risks = [sum(map(math.prod, zip(frequencies, cost))) for cost in zip(*costs)]\n"
            "    return classes[risks.index(min(risks))]\n"
        )
    parts += [READERS, MIXTURE]
    for node in range(tree.node_count):
        lines = "\n".join(f"{INDENT}{line}" for line in _body(tree, node, reader))
        parts.append(f"\n\ndef node_{node}(row):\n{lines}\n")
    return "".join(parts)


def _body(tree: Any, node: int, reader: Reader) -> Iterator[str]:
    """Yield the lines of the function of a node."""
    split = tree.splits.split(node)
    if split is None:
        yield f"return {tree.value[node].ravel().tolist()!r}"
        return
    children = tree.children[node].tolist()
    for text, child in zip(reader.conditions(split), children, strict=False):
        if text:
            yield f"if {text}:"
            yield f"{INDENT}return node_{child}(row)"
    if split.missing >= 0:
        value = reader.value(split.column)
        is_nominal = split.column in reader.problem.categories
        yield f"if {value} is None:" if is_nominal else f"if {value} != {value}:"
        yield f"{INDENT}return node_{children[split.missing]}(row)"
    fan = [child for child in children if child >= 0]
    shares = tree.shares[fan].tolist()
    if tree.surrogates is None:
        parts = ", ".join(
            f"({share!r}, node_{child}(row))"
            for share, child in zip(shares, fan, strict=True)
            if share > 0
        )
        yield f"return mixture({parts})"
        return
    for surrogate in tree.surrogates.get(node, ()):
        ways = children[::-1] if surrogate.swapped else children
        for text, child in zip(reader.conditions(surrogate.split), ways, strict=False):
            yield f"if {text}:"
            yield f"{INDENT}return node_{child}(row)"
    yield f"return node_{fan[int(np.argmax(shares))]}(row)"


def _membership(value: str, names: Sequence[str]) -> str:
    if not names:
        return ""
    return f"{value} == {names[0]!r}" if len(names) == 1 else f"{value} in {tuple(names)!r}"
