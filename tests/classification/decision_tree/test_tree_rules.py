import pandas as pd

from dmlib.classification import ID3, DecisionTreeClassifier
from dmlib.classification.decision_tree.figures.tree_rules import plot_tree_rules, tree_rules_data
from dmlib.datasets import load
from dmlib.problem import prepare
from tests.classification.decision_tree.data import params_of


def rules_of(frame, features, target, **params):
    problem = prepare(frame, features, target=target, labelled=True)
    return tree_rules_data(
        problem, DecisionTreeClassifier(**params).fit(problem.data, problem.y)
    ), problem


def test_rules_of_the_weather():
    frame = load("weather_nominal").frame
    rules, problem = rules_of(
        frame, ["outlook", "temperature", "humidity", "windy"], "play", **params_of(ID3)
    )
    assert str(rules[0]) == "if outlook = overcast then yes (4)"
    assert sum(rule.weight for rule in rules) == len(problem.X)
    assert [len(rule.conditions) for rule in rules] == [1, 2, 2, 2, 2]


def test_every_row_obeys_one_rule():
    frame = load("iris").frame
    rules, _ = rules_of(frame, ["petal_length", "petal_width"], "species", max_depth=3)
    followed = []
    for rule in rules:
        rows = frame.query(" and ".join(rule.conditions))
        assert len(rows) == rule.weight
        assert (rows["species"].astype(str) != rule.label).sum() == rule.errors
        followed.append(rows)
    assert sorted(pd.concat(followed).index) == list(frame.index)


def test_a_tree_of_one_leaf_and_hostile_names():
    frame = pd.DataFrame({"<b>a</b>": [1.0, 2.0, 3.0], "k": ["<i>x</i>", "<i>x</i>", "y"]})
    rules, _ = rules_of(frame, ["<b>a</b>"], "k", min_samples_split=9)
    figure = plot_tree_rules(rules)
    assert list(figure.data[0].cells["values"][0]) == ["anything"]
    rules, _ = rules_of(frame, ["<b>a</b>"], "k")
    cells = plot_tree_rules(rules).data[0].cells["values"]
    assert not any("<" in cell for column in cells for cell in column)
    assert "≤" in "".join(cells[0])
