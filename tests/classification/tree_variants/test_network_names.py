"""The names of the classes below an info-fuzzy network."""

import numpy as np
import pandas as pd
import pytest

from dmlib.classification import InfoFuzzyNetwork
from dmlib.classification.tree_variants.network_scene import Network
from dmlib.pictures.marks import Texts
from dmlib.problem import prepare


def network(names):
    n = len(names)
    table = pd.DataFrame({"x": np.repeat(np.arange(n), 9).astype(float), "c": np.repeat(names, 9)})
    problem = prepare(table, ["x"], target="c", labelled=True, test_size=0.0)
    model = InfoFuzzyNetwork()
    steps = list(model.steps(problem.training.data, problem.training.y))
    model.fit(problem.training.data, problem.training.y)
    return Network(problem, model, steps)


@pytest.mark.parametrize(
    ("names", "n_rows"),
    [
        (["no", "yes"], 1),
        (["setosa", "versicolor", "virginica"], 1),
        (["amphibian", "bird", "fish", "insect", "invertebrate", "mammal", "reptile"], 2),
    ],
)
def test_long_names_of_neighbours_stand_in_different_rows(names, n_rows):
    drawing = network(names)
    rows = [mark for mark in drawing._classes if isinstance(mark, Texts)]
    assert len(rows) == n_rows == len({row.dy for row in rows})
    written = {x: text for row in rows for x, text in zip(row.x.tolist(), row.text, strict=True)}
    for x, name in zip(drawing._class_places.tolist(), names, strict=True):
        assert name.startswith(written[x].rstrip("…"))
        assert len(written[x]) > min(len(name), 8) or written[x] == name
    assert drawing.panel.y.low < drawing._target - 0.3
