"""Distances as columns are added: golden covers, by hand, brute force, invariants, the lesson."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.spatial.distance import pdist, squareform
from sklearn.model_selection import LeaveOneOut, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from dmlib.datasets import decode_points, load, make
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from dmlib.similarity import (
    DistanceConcentration,
    ball_volume,
    cover_count,
    distance_contrast,
    edge_share,
    shell_share,
)
from dmlib.similarity.curse_of_dimensionality.figures.noise import hubs, noise_data, plot_noise
from dmlib.similarity.curse_of_dimensionality.figures.volumes import gamma_data

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "ball_cover.json").read_text("utf-8"))


@pytest.mark.parametrize(("case", "expected"), GOLDEN["expected"].items())
def test_covers_of_the_notes(case, expected):
    p, rho = (float(part.split("=")[1]) for part in case.split(","))
    assert cover_count(p, rho).item() == pytest.approx(expected, rel=GOLDEN["tolerance"])


@pytest.mark.parametrize("d", [2, 3, 4, 7])
def test_a_ball_is_a_stack_of_balls_of_one_dimension_less(d):
    def slice_volume(h):
        return ball_volume(d - 1, np.sqrt(1 - h * h)).item() if abs(h) < 1 else 0.0

    stacked, _ = quad(slice_volume, -1, 1)
    assert ball_volume(d).item() == pytest.approx(stacked)


@given(st.integers(1, 60), st.floats(0.01, 0.49))
def test_shares_are_shares_and_grow_with_the_dimensions(d, width):
    for share in (edge_share, shell_share):
        low, high = share([d, d + 1], width)
        assert 0 < low <= high <= 1


def test_three_rows_by_hand():
    model = DistanceConcentration(2, n_neighbors=1).fit(decode_points("GQMgAZAlgArw-gA")[:, :2])
    assert model.contrast_ == pytest.approx(2 / 3)
    assert model.gamma_ == pytest.approx(0, abs=1e-12)
    assert model.nearest_ == pytest.approx(np.sqrt(0.5))


@pytest.mark.parametrize("noise", ["uniform", "normal"])
def test_every_step_is_what_the_columns_so_far_give(noise):
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(25, 3)), rng.integers(0, 3, 25)
    steps = list(DistanceConcentration(6, n_neighbors=4, noise=noise, random_state=5).steps(X, y))
    phases = [step.phase for step in steps]
    assert phases == ["scale", *["column"] * 3, *["noise"] * 3, "done"]
    columns = np.array([step.values for step in steps[1:-1]]).T
    np.testing.assert_allclose(columns[:, :3], (X - X.min(0)) / np.ptp(X, axis=0))
    for step in steps[1:]:
        rows = columns[:, : step.dimensions]
        pairs = pdist(rows)
        distances = squareform(pairs) + np.diag(np.full(25, np.inf))
        assert step.gamma == pytest.approx(np.log((pairs.max() - pairs.min()) / pairs.min()))
        assert step.nearest == pytest.approx(distances.min(axis=1).mean())
        np.testing.assert_array_equal(step.neighbors, np.argsort(distances, axis=1)[:, :4])
        assert step.counts.sum() == 100
        assert step.pairs.sum() == len(pairs)
        scores = cross_val_score(KNeighborsClassifier(4), rows, y, cv=LeaveOneOut())
        assert step.error == pytest.approx(1 - scores.mean())


@given(st.integers(2, 30), st.integers(0, 5))
def test_distances_never_shrink_and_the_cube_s_contrast_falls(d, seed):
    rows = np.random.default_rng(seed).random((40, 1))
    path = DistanceConcentration(d, random_state=seed).fit(rows).path_
    assert (np.diff(path[:, :2], axis=0) >= 0).all()
    assert (path[:, 1] >= path[:, 0]).all()
    assert path[-1, 2] < path[0, 2]


def test_means_of_the_squared_distance_are_those_of_the_lesson():
    squared = pdist(np.random.default_rng(0).random((1000, 24)), "sqeuclidean")
    assert squared.mean() == pytest.approx(24 / 6, rel=0.02)
    assert squared.var() == pytest.approx(24 * 7 / 180, rel=0.05)


def test_the_number_of_rows_hardly_counts():
    gamma = gamma_data().gamma
    assert (np.diff(gamma[-1]) < 0).all()
    assert np.ptp(gamma[1:, -1]) < np.ptp(gamma[-1]) / 5
    assert distance_contrast(200, 100) == gamma[-1, -1]


def test_equal_rows_have_no_bound():
    model = DistanceConcentration(1).fit([[0.0], [0.0], [1.0]])
    assert np.isinf(model.contrast_)
    assert np.isinf(model.gamma_)
    constant = DistanceConcentration(1).fit([[2.0]] * 3)
    assert np.isnan(constant.gamma_)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: DistanceConcentration().fit([[0.0]]), "minimum of 2 is required"),
        (lambda: DistanceConcentration().fit(np.zeros((3001, 1))), "at most 3000"),
        (lambda: ball_volume(0), "at least one dimension"),
        (lambda: ball_volume(2, 0.0), "radius must be above 0"),
        (lambda: edge_share(2, 0.6), "from 0 to 0.5"),
        (lambda: shell_share(2, -0.1), "from 0 to 1"),
        (lambda: distance_contrast(1, 2), "at least 2 rows"),
    ],
)
def test_what_cannot_be_is_refused(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def _columns(table):
    return table.frame[list(table.numeric)].to_numpy(), table.frame[table.target].to_numpy()


def test_what_the_presets_say():
    table = make("moons", random_state=0, n_samples=120, noise=0.1)
    moons = DistanceConcentration(30).fit(*_columns(table))
    assert moons.path_[[1, 29], 5].round(3).tolist() == [0, 0.383]
    cube = DistanceConcentration(60).fit(_columns(make("uniform_noise", random_state=0))[0])
    assert cube.path_[[1, 59], 2].round(1).tolist() == [41.9, 0.5]
    irises = DistanceConcentration(60).fit(*_columns(load("iris")))
    assert irises.path_[[3, 59], 5].round(3).tolist() == [0.047, 0.287]
    model = DistanceConcentration(100, noise="normal", n_neighbors=10)
    assert model.fit(*_columns(load("iris"))).path_[[3, 99], 4].round(3).tolist() == [0.114, 2.291]


def test_noise_is_drawn_anew_and_hubs_are_counted():
    table = make("moons", random_state=0, n_samples=60)
    problem = prepare(table.frame, list(table.numeric), target=table.target, labelled=True)
    run = Run.of(problem, DistanceConcentration(12))
    data = noise_data(run, lambda task: None)
    assert data.error.shape == (20, 12)
    assert len(set(data.error[:, -1])) > 1
    np.testing.assert_array_equal(data.error[0], run.fitted.path_[:, 5])
    assert np.ptp(data.error[:, :2], axis=0).max() == 0  # the table's own columns
    title = plot_noise(data).layout.title.text.replace("<br>", " ")
    assert f"to {data.error[:, -1].mean():.3f}" in title
    assert [sum(bars.y) for bars in hubs(run).data] == [60, 60]
