import pytest

from dmlib.classification import C45, DecisionTreeClassifier
from dmlib.classification.decision_tree.figures.tree_depth import plot_tree_depth, tree_depth_data
from dmlib.datasets import load
from dmlib.problem import prepare
from tests.classification.decision_tree.data import params_of


@pytest.mark.parametrize("test_size", [0.0, 0.3])
@pytest.mark.parametrize(
    "params", [{}, {"max_depth": 2}, {"choices": "r_0_3.0"}, params_of(C45)], ids=str
)
def test_errors_are_those_of_trees_of_this_depth(test_size, params):
    frame = load("penguins").frame
    names = ["flipper_length_mm", "bill_length_mm", "island"]
    problem = prepare(frame, names, target="species", labelled=True, test_size=test_size)
    learned, tested = problem.training, problem.testing
    if "choices" in params:
        params = {"choices": "r_0"}
    model = DecisionTreeClassifier(**params).fit(learned.data, learned.y)
    data = tree_depth_data(problem, model)
    assert data.current == model.get_depth()
    grown = {key: value for key, value in params.items() if key not in ("choices", "pruning")}
    for depth in (1, 2, 3):
        shallow = DecisionTreeClassifier(**grown | {"max_depth": depth}).fit(
            learned.data, learned.y
        )
        assert data.n_leaves[depth] == shallow.get_n_leaves()
        assert data.train[depth] == pytest.approx(1 - shallow.score(learned.data, learned.y))
        if tested is not None:
            assert data.test[depth] == pytest.approx(1 - shallow.score(tested.data, tested.y))
    figure = plot_tree_depth(data)
    assert len(figure.data) == (1 if tested is None else 2)
