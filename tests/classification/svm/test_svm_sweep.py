"""Errors against C, nu and gamma: those of the machines that one would train."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_moons

from dmlib.classification import SVC, NuSVC
from dmlib.classification.svm.figures.svm_sweep import MAX_ROWS, plot_svm_sweep, svm_sweep_data
from dmlib.problem import prepare


def moons(n=80, test_size=0.25, share=0.5):
    X, y = make_moons((n - int(n * share), int(n * share)), noise=0.3, random_state=0)
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": np.where(y, "yes", "no")})
    return prepare(
        frame, ["a", "b"], target="c", labelled=True, positive="yes", test_size=test_size
    )


def sweeps(problem, model):
    return svm_sweep_data(problem, model.fit(problem.training.X, problem.training.y))


def test_errors_are_those_of_each_machine():
    problem = moons()
    training, testing = problem.training, problem.testing
    by_C, by_gamma = sweeps(problem, SVC(C=2.0)).sweeps
    assert (by_C.parameter, by_C.current, by_gamma.parameter) == ("C", 2.0, "gamma")
    assert 2.0 in by_C.values
    for sweep, i in ((by_C, 0), (by_C, 5), (by_gamma, 3), (by_gamma, -1)):
        params = {"C": 2.0} | {sweep.parameter: sweep.values[i]}
        model = SVC(**params).fit(training.X, training.y)
        assert sweep.training[i] == (model.predict(training.X) != training.y).mean()
        assert sweep.test[i] == (model.predict(testing.X) != testing.y).mean()
        assert sweep.support[i] == pytest.approx(len(model.support_) / len(training.X), abs=0.05)
    assert by_C.best == by_C.values[np.flatnonzero(by_C.validation == by_C.validation.min())[0]]


def test_a_linear_machine_has_no_gamma():
    assert [sweep.parameter for sweep in sweeps(moons(), SVC(kernel="linear")).sweeps] == ["C"]


def test_infinite_prices_are_not_drawn():
    (sweep, _) = sweeps(moons(), SVC(C=np.inf)).sweeps
    assert np.isinf(sweep.current)
    assert np.isfinite(sweep.values).all()
    plot_svm_sweep(sweeps(moons(), SVC(C=np.inf)))


def test_shares_that_are_impossible_have_no_error():
    (by_nu, _) = sweeps(moons(share=0.2), NuSVC(nu=0.2)).sweeps
    assert np.isnan(by_nu.training[by_nu.values > 0.41]).all()
    assert np.isfinite(by_nu.training[by_nu.values < 0.39]).all()
    assert by_nu.best < 0.41


def test_many_rows_are_sampled():
    data = sweeps(moons(600, 0.0), SVC(kernel="linear"))
    assert (data.n_rows, data.n_all) == (MAX_ROWS, 600)
    assert np.isnan(data.sweeps[0].test).all()
    assert "drawn at random" in plot_svm_sweep(data).layout.title.text


def test_too_few_rows_to_hold_some_out():
    frame = pd.DataFrame({"a": [0.0, 1.0, 2.0], "c": ["x", "x", "y"]})
    problem = prepare(frame, ["a"], target="c", labelled=True, positive="y")
    data = sweeps(problem, SVC(kernel="linear"))
    assert data.sweeps[0].best is None
    assert "too few rows" in plot_svm_sweep(data).layout.title.text.replace("<br>", " ")
