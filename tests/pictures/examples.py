"""Problems for the scenes: usual, and as awkward as they come."""

import numpy as np
import pandas as pd
from sklearn.datasets import make_blobs

from dmlib.pictures.ledger import Formula, LedgerTable
from dmlib.pictures.marks import PerFrame
from dmlib.problem import prepare


def problem(X, **options):
    X = np.asarray(X, float)
    names = [f"c{j}" for j in range(X.shape[1])]
    return prepare(pd.DataFrame(X, columns=names), names, **options)


BLOBS = make_blobs([30, 25, 20, 15], 2, centers=[[0, 0], [9, 0], [0, 9], [9, 9]], random_state=0)[0]
SQUARES = [[0, 0], [0, 2], [2, 0], [2, 2], [10, 0], [10, 4], [14, 0], [14, 4]]
PROBLEMS = {
    "blobs": problem(BLOBS),
    "four columns": problem(np.hstack([BLOBS, BLOBS[::-1] / 3])),
    "components": problem(np.hstack([BLOBS, BLOBS[::-1] / 3]), view="pca"),
    "one column": problem(BLOBS[:, :1]),
    "duplicates": problem([[0, 0]] * 6 + [[1, 1]] * 5 + [[4, 0]]),
    "squares": problem(SQUARES),
}


def tables(frame):
    return {
        block.title.split(" (")[0]: block
        for block in frame.ledger
        if isinstance(block, LedgerTable)
    }


def formulas(frame):
    return [block.text for block in frame.ledger if isinstance(block, Formula)]


def result(formula):
    """The number after the last equals sign."""
    return float(formula.rsplit("= ", 1)[1].replace("−", "-").replace("∞", "inf"))


def at(channel, frame):
    """The value of a channel in a frame."""
    return np.asarray(channel.rows[frame] if isinstance(channel, PerFrame) else channel)


def marks(scene, kind, panel="data", **attributes):
    """The marks of a type in a panel, with attributes that are the same in all frames."""
    return [
        mark
        for mark in scene.marks
        if isinstance(mark, kind)
        and mark.panel == panel
        and all(always(getattr(mark, name), value) for name, value in attributes.items())
    ]


def always(attribute, value):
    """Whether an attribute of a mark has a value, as a channel in every frame."""
    if isinstance(attribute, PerFrame):
        return all(np.array_equal(row, value) for row in attribute.rows)
    return attribute == value
