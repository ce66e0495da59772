import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression as Reference
from sklearn.metrics import log_loss

from dmlib.classification import LogisticRegression
from dmlib.classification.logistic_regression.figures.c_path import (
    GRID,
    MAX_CURVES,
    c_path_data,
    plot_c_path,
)
from dmlib.problem import prepare

CLOUD = np.random.default_rng(2).normal(size=(80, 20))


def noisy(n_columns=3, **options):
    names = [f"<c{j}>" for j in range(n_columns)]
    frame = pd.DataFrame(CLOUD[:, :n_columns] * np.arange(1, n_columns + 1), columns=names)
    frame["group"] = np.where(CLOUD[:, 0] - CLOUD[:, 1] + CLOUD[:, -1] > 0, "yes", "no")
    return prepare(frame, names, target="group", labelled=True, positive="yes", **options)


def path_of(problem, **params):
    model = LogisticRegression(**params).fit(problem.training.data, problem.training.y)
    return c_path_data(problem, model, problem.features)


def test_coefficients_and_losses_are_those_of_scikit_learn():
    problem = noisy(test_size=0.3)
    data, training, testing = path_of(problem), problem.training, problem.testing
    for i in (0, 12, 20):
        reference = Reference(C=GRID[i], tol=1e-10, max_iter=1000).fit(training.X, training.y)
        np.testing.assert_allclose(
            data.coef[i], reference.coef_[0] * training.X.std(axis=0), rtol=1e-3, atol=1e-5
        )
        assert data.training[i] == pytest.approx(
            log_loss(training.y, reference.predict_proba(training.X)), rel=1e-5
        )
        assert data.test[i] == pytest.approx(
            log_loss(testing.y, reference.predict_proba(testing.X)), rel=1e-4
        )


def test_coefficients_grow_and_the_training_loss_falls_with_c():
    data = path_of(noisy())
    assert (np.diff(np.abs(data.coef).sum(axis=1)) > -1e-6).all()
    assert (np.diff(data.training) < 1e-9).all()
    assert data.test is None


def test_the_best_c_is_in_the_title():
    data = path_of(noisy(test_size=0.3))
    title = plot_c_path(data).layout.title.text.replace("<br>", " ")
    assert (
        f"The test loss is smallest, {data.test.min():.4g}, at C = {GRID[data.test.argmin()]:.3g}."
        in title
    )


@pytest.mark.parametrize(
    ("C", "sentence"),
    [(2.0, "Dotted: current C = 2."), (np.inf, "Current C = ∞, beyond the picture.")],
)
def test_the_current_c_is_marked(C, sentence):
    figure = plot_c_path(path_of(noisy(), C=C))
    assert sentence in figure.layout.title.text.replace("<br>", " ").replace(
        '</span> <span style="font-size:12px">', " "
    )
    assert bool(figure.layout.shapes) == np.isfinite(C)


def test_the_largest_of_many_coefficients_are_drawn_with_their_names_as_text():
    figure = plot_c_path(path_of(noisy(19)))
    names = [trace.name for trace in figure.data if trace.name]
    assert len(names) == MAX_CURVES
    assert all(name.startswith("&lt;c") for name in names)
