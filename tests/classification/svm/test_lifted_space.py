"""The feature space of the quadratic kernel: rows, boundary and margin are the machine's."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_circles

from dmlib.classification import SVC, NuSVC
from dmlib.classification.svm.figures.lifted_space import (
    LEVELS,
    lifted_space_data,
    plot_lifted_space,
)
from dmlib.problem import prepare


def rings(n_columns=2, **how):
    X, y = make_circles(60, noise=0.05, factor=0.4, random_state=0)
    noise = np.random.default_rng(0).normal(size=(60, 40))
    X = np.hstack([X, noise])[:, :n_columns]
    names = [f"c{j}" for j in range(n_columns)]
    frame = pd.DataFrame(X, columns=names).assign(k=np.where(y, "in", "out"))
    return prepare(frame, names, target="k", labelled=True, positive="in", **how)


def fitted(problem, model):
    return model.fit(problem.training.X, problem.training.y)


MODELS = {
    "three dimensions": SVC(kernel="poly", degree=2, gamma=0.7),
    "five dimensions": SVC(kernel="poly", degree=2, gamma=0.7, coef0=1.5),
    "a share": NuSVC(nu=0.2, kernel="poly", degree=2, coef0=0.5),
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("n_columns", [2, 4])
def test_the_boundary_is_flat(name, n_columns):
    problem = rings(n_columns)
    model = fitted(problem, MODELS[name])
    data = lifted_space_data(problem, model)
    decision = model.decision_function(problem.X)
    np.testing.assert_allclose(data.decision, decision, atol=1e-9 * np.abs(decision).max())
    assert np.flatnonzero(data.support).tolist() == sorted(model.support_)
    # The decision value is linear in the place, and the planes have their levels by the same
    # function.
    terms = np.column_stack([data.places, np.ones(len(data.places))])
    linear, *_ = np.linalg.lstsq(terms, decision, rcond=None)
    np.testing.assert_allclose(terms @ linear, decision, atol=1e-8)
    assert any(len(plane) for plane in data.planes)
    for level, corners in zip(LEVELS, data.planes, strict=True):
        np.testing.assert_allclose(corners @ linear[:3] + linear[3], level, atol=1e-7)
        assert ((corners >= data.box[0] - 1e-9) & (corners <= data.box[1] + 1e-9)).all()


def test_dimensions_are_counted():
    for n_columns, coef0, expected in (
        (2, 0.0, 3),
        (2, 1.0, 5),
        (4, 0.0, 10),
        (4, 1.0, 14),
        (1, 1.0, 2),
        (1, 0.0, 1),
    ):
        problem = rings(n_columns)
        data = lifted_space_data(
            problem, fitted(problem, SVC(kernel="poly", degree=2, coef0=coef0))
        )
        assert data.n_dimensions == expected
        assert data.places.shape == (60, 3)
        assert (data.sheet is None) == (n_columns != 2)


def test_two_columns_have_named_axes():
    problem = rings()
    data = lifted_space_data(problem, fitted(problem, SVC(kernel="poly", degree=2, gamma=1.0)))
    assert data.axes == ("c0²", "c1²", "√2 c0 · c1")
    np.testing.assert_allclose(data.places[:, 0], problem.X[:, 0] ** 2)


@pytest.mark.parametrize("kernel", ["rbf", "linear", "sigmoid", "poly"])
def test_another_kernel_is_replaced_and_that_is_said(kernel):
    problem = rings(test_size=0.3)
    data = lifted_space_data(problem, fitted(problem, SVC(kernel=kernel, C=7.0)))
    same = lifted_space_data(problem, fitted(problem, SVC(kernel="poly", degree=2, C=7.0)))
    np.testing.assert_allclose(data.decision, same.decision)
    assert data.instead == {"poly": "poly of degree 3"}.get(kernel, kernel)
    assert f"quadratic kernel, instead of {data.instead}," in plot_lifted_space(
        data
    ).layout.title.text.replace("<br>", " ")


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="no inner product"):
        lifted_space_data(rings(), fitted(rings(), SVC(kernel="poly", degree=2, coef0=-1.0)))
    with pytest.raises(ValueError, match="at most 30 columns"):
        lifted_space_data(rings(40), fitted(rings(40), SVC()))


def test_classes_are_drawn_first_so_that_they_have_their_colours():
    problem = rings()
    figure = plot_lifted_space(
        lifted_space_data(problem, fitted(problem, SVC(kernel="poly", degree=2)))
    )
    kinds = [trace.type for trace in figure.data]
    assert kinds == ["scatter3d", "scatter3d", "surface", "mesh3d", "mesh3d", "mesh3d"]
    assert [trace.name for trace in figure.data[:2]] == ["out", "in"]
