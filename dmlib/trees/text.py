"""Trees as text: the indented listing, and one rule for each leaf.

``names`` are those of the columns, ``values`` for each column those that it can have (None for a numeric one).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dmlib.trees.tree import Tree


def branch_texts(tree: Tree, names: Sequence[str], values: Sequence[Any], form: str = ".6g") -> list[list[str]]:
    """Return the conditions of the branches of each node; ``form`` is how thresholds are written."""
    splits = [tree.splits.split(node) for node in range(tree.node_count)]
    return [[] if s is None else s.conditions(names[s.column], values[s.column], form) for s in splits]


def listing(
    tree: Tree,
    names: Sequence[str],
    values: Sequence[Any],
    classes: Sequence[Any],
    decimals: int = 2,
    show_weights: bool = False,
) -> str:
    """Return the tree as indented lines, in the form of scikit-learn's ``export_text``."""
    texts, answers = branch_texts(tree, names, values, f".{decimals}f"), tree.answers
    lines, waiting = [], [(0, 0, "")]
    while waiting:
        node, depth, condition = waiting.pop()
        if condition:
            # scikit-learn writes two spaces after ">", so that thresholds stand under each other
            lines.append("|   " * (depth - 1) + "|--- " + condition.replace(" > ", " >  "))
        if texts[node]:
            below = zip(tree.children[node].tolist(), texts[node], strict=False)
            waiting += reversed([(child, depth + 1, text) for child, text in below])
            continue
        counts = ", ".join(f"{count:.{decimals}f}" for count in tree.counts[node])
        weights = f"weights: [{counts}] " if show_weights else ""
        lines.append("|   " * depth + f"|--- {weights}class: {classes[answers[node]]}")
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Rule:
    """A leaf as a rule.

    Attributes
    ----------
    conditions : tuple of str
        The conditions on the way to it, all of which must hold.
    label : object
        Its class.
    weight, errors : float
        What its rows weigh, and those of them that have another class.
    """

    conditions: tuple[str, ...]
    label: Any
    weight: float
    errors: float

    def __str__(self) -> str:
        """Write the rule as a sentence."""
        return f"if {' and '.join(self.conditions) or 'anything'} then {self.conclusion}"

    @property
    def conclusion(self) -> str:
        """The class, with the rows and, after a stroke, those of another class."""
        wrong = f"/{self.errors:.6g}" if self.errors > 1e-9 else ""
        return f"{self.label} ({self.weight:.6g}{wrong})"


def rules(tree: Tree, names: Sequence[str], values: Sequence[Any], classes: Sequence[Any]) -> list[Rule]:
    """Return one rule for each leaf."""
    texts, answers = branch_texts(tree, names, values), tree.answers
    found: list[Rule] = []
    waiting: list[tuple[int, tuple[str, ...]]] = [(0, ())]
    while waiting:
        node, conditions = waiting.pop()
        if texts[node]:
            below = zip(tree.children[node].tolist(), texts[node], strict=False)
            waiting += reversed([(child, (*conditions, text)) for child, text in below])
            continue
        counts = tree.counts[node]
        label = classes[answers[node]]
        found.append(Rule(conditions, label, float(counts.sum()), float(counts.sum() - counts[answers[node]])))
    return found
