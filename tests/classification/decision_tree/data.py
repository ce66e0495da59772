"""Tables that the tests of decision trees share, and trees in the form of the golden file."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_iris, make_classification

from dmlib.classification import DecisionTreeClassifier
from dmlib.params import defaults
from dmlib.trace import run

NODE = ["feature", "threshold", "impurity", "n_node_samples", "weighted_n_node_samples", "value"]
ROOT = Path(__file__).parents[3]
GOLDEN = json.loads((ROOT / "tests" / "golden" / "decision_tree.json").read_text())


def weather(kind="nominal"):
    table = pd.read_csv(ROOT / "assets" / "data" / f"weather_{kind}.csv", dtype={"windy": str})
    return table.drop(columns="play"), table["play"]


def iris():
    data = load_iris(as_frame=True)
    columns = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
    return data.data.set_axis(columns, axis=1), data.target_names[data.target]


def steps(model, X, y):
    trace = run(model, X, y)
    assert trace.complete
    return trace.steps


def named(tree, X, classes):
    """The tests and leaves of a tree as nested dictionaries, as the golden file writes them."""

    def node(i):
        split = tree.splits.split(i)
        if split is None:
            counts = tree.counts[i]
            best = int(tree.value[i, 0].argmax())
            return {
                "leaf": classes[best],
                "n": round(counts.sum(), 6),
                "errors": round(counts.sum() - counts[best], 6),
            }
        column = X.iloc[:, split.column]
        values = None if split.thresholds else sorted(column.unique())
        texts = split.conditions(X.columns[split.column], values)
        below = [
            {"test": text, "child": node(child)}
            for text, child in zip(texts, tree.children[i].tolist(), strict=False)
        ]
        return {"branches": sorted(below, key=lambda branch: branch["test"])}

    return node(0)


def in_order(tree):
    if "branches" not in tree:
        return tree
    branches = [branch | {"child": in_order(branch["child"])} for branch in tree["branches"]]
    return {"branches": sorted(branches, key=lambda branch: branch["test"])}


def table(n_samples=300):
    """Values that single precision holds exactly, since scikit-learn rounds to it."""
    X, y = make_classification(n_samples, 6, n_informative=4, n_classes=3, random_state=3)
    return X.astype(np.float32).astype(np.float64), y


def params_of(algorithm):
    """The parameters of DecisionTreeClassifier that make it one of the textbook's algorithms."""
    usual = defaults(DecisionTreeClassifier)
    return {name: value for name, value in algorithm().all_params.items() if value != usual[name]}
