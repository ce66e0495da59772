"""Questions about factorisations: the answers are computed again with NumPy's decomposition."""

import numpy as np
import pandas as pd
import pytest

from dashboard.rounds import practice_settings, questions_of, view_of
from dmlib.decomposition import NMF, SVD, Autoencoder, SparseCoding
from dmlib.decomposition.factorisation.questions import Rule, questions
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.visit import technique


@pytest.mark.parametrize("seed", range(4))
def test_components_are_those_of_numpy(seed):
    page = technique("factorisation")
    view = view_of(page, practice_settings(page, seed))
    X = view.run.problem.X
    U, sizes, V = np.linalg.svd(X, full_matrices=False)
    for each in questions_of(view):
        question, k = each.question, each.question.step
        if question.topic == "energy":
            kept = 100 * (sizes[:k] ** 2).sum() / (sizes**2).sum()
            assert judge(question, float(kept)).is_right
        elif question.topic == "numbers stored":
            assert judge(question, U[:, :k].size + V[:k].size).is_right
            assert judge(question, U[:, :k].size).rule is Rule.CODES
        elif question.topic == "rebuilt cell":
            row = question.about[0] - 1
            rebuilt = (U[:, :k] * sizes[:k] @ V[:k])[row]
            assert any(judge(question, float(value)).is_right for value in rebuilt)


@pytest.mark.parametrize(
    "model",
    [
        SVD(2, center=True),
        NMF(2, random_state=0),
        NMF(2, beta_loss="kullback-leibler", random_state=0),
        Autoencoder(2, random_state=0),
        SparseCoding(2, random_state=0),
    ],
)
def test_every_method_has_answers_of_its_own_steps(model):
    X = np.abs(np.random.default_rng(0).normal(size=(6, 3)))
    run = Run.of(prepare(pd.DataFrame(X, columns=list("abc")), list("abc")), model)
    found = list(questions(run))
    assert found
    for question in found:
        assert judge(question, question.answer.right[0]).is_right


def test_an_update_multiplies_a_code():
    problem = prepare(pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [2.0, 4.0, 7.0]}), ["a", "b"])
    run = Run.of(problem, NMF(1, random_state=0))
    update = next(question for question in questions(run) if question.topic == "update")
    row = update.about[0] - 1
    before = run.trace.steps[0]
    code, part, x = before.codes[row, 0], before.parts[0], problem.X[row]
    assert judge(update, float(code * (x @ part) / (code * part @ part))).is_right
