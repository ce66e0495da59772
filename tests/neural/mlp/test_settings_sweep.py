"""The sweep over the settings of a network trains what it says."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import KFold

from dmlib.neural import MLPClassifier
from dmlib.neural.mlp.figures.settings_sweep import FOLDS, GRIDS, plot_sweep, sweep_data
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.visit import open_settings


def test_errors_are_those_of_networks_with_one_setting_changed():
    run, _ = open_settings("mlp", max_iter=20)
    data = sweep_data(run, lambda _: None)
    X, y = run.problem.training.X, run.problem.training.y
    folds = KFold(FOLDS, shuffle=True, random_state=run.seed).split(X)
    errors = []
    for train, test in folds:
        network = MLPClassifier((4, 4), max_iter=20, random_state=run.seed)
        errors.append((network.fit(X[train], y[train]).predict(X[test]) != y[test]).mean())
    assert data.validation["units"][GRIDS["units"].index(4)] == pytest.approx(np.mean(errors))
    # At the default of a setting the network is that of the run.
    by_rate = data.validation["learning_rate"][GRIDS["learning_rate"].index(0.1)]
    unchanged = MLPClassifier(max_iter=20, random_state=run.seed)
    folds = KFold(FOLDS, shuffle=True, random_state=run.seed).split(X)
    assert by_rate == pytest.approx(
        np.mean([1 - unchanged.fit(X[a], y[a]).score(X[b], y[b]) for a, b in folds])
    )
    figure = plot_sweep(data)
    assert [len(trace.x) for trace in figure.data] == [
        len(grid) for grid in GRIDS.values() for _ in range(2)
    ]


def test_numbers_have_root_mean_squares_which_explode_with_the_rate():
    run, _ = open_settings(
        "mlp", method="Regression", generator="noisy_curve", scaling="none", max_iter=10
    )
    data = sweep_data(run, lambda _: None)
    assert not data.is_share
    rates = data.validation["learning_rate"]
    assert rates[0] < 10
    assert not rates[-1] < 100
    axis = plot_sweep(data).layout.yaxis
    assert (axis.title.text, axis.type) == ("RMSE", "log")


def test_two_rows_are_refused_and_a_fold_that_lacks_a_class_is_a_gap():
    frame = pd.DataFrame({"a": [0.0, 1.0, 2.0], "c": list("xxy")})
    model = MLPClassifier(max_iter=2, random_state=0)
    three = Run.of(prepare(frame, ["a"], target="c", labelled=True), model)
    assert np.isnan(sweep_data(three, lambda _: None).validation["units"]).all()
    assert "more rows" in plot_sweep(sweep_data(three, lambda _: None)).layout.title.text
    two = Run.of(prepare(frame[1:], ["a"], target="c", labelled=True), model)
    with pytest.raises(ValueError, match="3 training rows or more"):
        sweep_data(two, lambda _: None)
