"""Questions about a decision tree: splits are searched and scored again, by hand."""

import numpy as np
import pytest

from dmlib.classification.decision_tree.questions import Rule
from dmlib.pictures.question import judge
from tests.rounds import round_by_topic


def gini(y):
    """Return the Gini index of some classes."""
    return 1 - sum((np.mean(y == code)) ** 2 for code in set(y.tolist()))


def gains(X, y):
    """Return the fall of the Gini index by each cut: (column, cut) -> gain."""
    found = {}
    for column in range(X.shape[1]):
        values = np.unique(X[:, column])
        for cut in (values[1:] + values[:-1]) / 2:
            left = X[:, column] <= cut
            parts = left.mean() * gini(y[left]) + (1 - left.mean()) * gini(y[~left])
            found[column, cut] = gini(y) - parts
    return found


@pytest.mark.parametrize("seed", range(5))
def test_nodes_are_split_where_the_gini_index_falls_most(seed):
    run, by_topic = round_by_topic("decision_tree", seed)
    for topic in ("split or leaf", "cut", "gain"):
        for question in by_topic[topic]:
            step = run.trace.steps[question.step]
            X, y = run.problem.X[step.rows], np.asarray(run.problem.y)[step.rows]
            found = gains(X, y)
            best = max(found.values(), default=0.0)
            winners = [key for key, gain in found.items() if np.isclose(gain, best)]
            if topic == "gain":
                assert judge(question, best).is_right
            elif gini(y) == 0:
                assert judge(question, 0).is_right
            elif topic == "cut":
                column = step.chosen.split.column
                cuts = [cut for at, cut in winners if at == column]
                assert all(judge(question, [cut, cut]).is_right for cut in cuts)
            else:
                assert all(judge(question, 1 + column).is_right for column, _ in winners)


def test_a_node_with_a_majority_is_still_split():
    _, by_topic = round_by_topic("decision_tree", 0)
    verdicts = [judge(question, 0) for question in by_topic["split or leaf"]]
    assert Rule.MAJORITY in {verdict.rule for verdict in verdicts}
