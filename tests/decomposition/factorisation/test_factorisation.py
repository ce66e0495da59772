"""Factorisations against R, NumPy and scikit-learn, by hand, their invariants, and their page."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import decomposition
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import orthogonal_mp

from dashboard.presets import link_of, presets
from dmlib.datasets import Table, load
from dmlib.decomposition import NMF, SVD, Autoencoder, SparseCoding
from dmlib.decomposition.factorisation.autoencoder import gradients
from dmlib.decomposition.factorisation.figures.ranks import (
    empty_data,
    energy_by_rank,
    fill,
    plot_empty,
)
from dmlib.decomposition.factorisation.nmf import LOSSES, loss, updates
from dmlib.decomposition.factorisation.reference import codes_of_all
from dmlib.decomposition.factorisation.scene import factorisation_scene
from dmlib.decomposition.factorisation.sparse_coding import pursue
from dmlib.pictures.marks import Raster
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.pictures.examples import at as channel_at
from tests.visit import stage, visit

SLUG = "factorisation"
GOLDEN = Path(__file__).parents[2] / "golden"
ALL = pytest.mark.parametrize("algorithm", [SVD, NMF, Autoencoder, SparseCoding])


def random_table(seed, n=20, p=6):
    return np.random.default_rng(seed).gamma(2.0, size=(n, p))


def seeded(algorithm, *args, **params):
    if algorithm is not SVD:
        params["random_state"] = 0
    return algorithm(*args, **params)


def test_three_rows_by_hand():
    model = SVD(1).fit([[2.0, 0.0], [4.0, 0.0], [0.0, 1.0]])
    assert model.singular_values_ == pytest.approx([20**0.5])
    assert model.energy_ == pytest.approx(20 / 21)
    assert model.codes_.ravel() == pytest.approx([2, 4, 0])


@pytest.mark.parametrize("beta_loss", LOSSES)
def test_r_multiplies_the_same(beta_loss):
    golden = json.loads((GOLDEN / "nmf_updates.json").read_text("utf-8"))
    X, W, H = (np.array(golden[name]) for name in ("V", "W0", "H0"))
    expected = golden[f"{beta_loss.replace('-', '_')}_W_then_H"]
    objectives = [loss(X, W, H, beta_loss)]
    for n, (codes, parts) in enumerate(updates(X, W, H, beta_loss), start=1):
        objectives.append(loss(X, codes, parts, beta_loss))
        if n == 1:
            np.testing.assert_allclose(codes, expected["W_after_1"], rtol=1e-7)
            np.testing.assert_allclose(parts, expected["H_after_1"], rtol=1e-7)
        if n == 50:
            np.testing.assert_allclose(codes, expected["W_after_50"], rtol=1e-6, atol=1e-9)
            break
    np.testing.assert_allclose(objectives, expected["objective_at_iterations_0_to_50"], rtol=1e-7)


def test_r_has_the_same_singular_values():
    golden = json.loads((GOLDEN / "svd_us_arrests.json").read_text("utf-8"))
    X = load("us_arrests").frame[["murder", "assault", "urban_pop", "rape"]].to_numpy(float)
    Z = (X - X.mean(0)) / X.std(0, ddof=1)
    model = SVD(4).fit(Z)
    np.testing.assert_allclose(model.singular_values_, golden["d"], rtol=1e-8)
    np.testing.assert_allclose(
        np.abs(model.components_), np.abs(np.transpose(golden["v"])), rtol=1e-7
    )
    errors = [step.objective for step in SVD(4).steps(Z) if step.phase == "component"]
    assert errors[:2] == pytest.approx([golden["rank1_sse"], golden["rank2_sse"]])


@given(st.integers(0, 30), st.integers(1, 5), st.sampled_from(list(LOSSES)))
def test_scikit_learn_makes_the_same_parts(seed, k, beta_loss):
    X = random_table(seed)
    ours = NMF(k, beta_loss=beta_loss, random_state=seed).fit(X)
    start = next(NMF(k, beta_loss=beta_loss, random_state=seed).steps(X))
    codes, parts, _ = decomposition.non_negative_factorization(
        X,
        W=start.codes.copy(),
        H=start.parts.copy(),
        n_components=k,
        init="custom",
        solver="mu",
        beta_loss=beta_loss,
        max_iter=ours.n_iter_,
        tol=0.0,
    )
    np.testing.assert_allclose(ours.codes_ @ ours.components_, codes @ parts, rtol=1e-6)


@given(st.integers(0, 30), st.sampled_from(list(LOSSES)))
def test_the_loss_of_updates_never_rises(seed, beta_loss):
    model = NMF(3, beta_loss=beta_loss, max_iter=40, tol=0.0, random_state=seed)
    steps = list(model.steps(random_table(seed)))
    assert (np.diff([step.objective for step in steps]) <= 1e-9).all()
    assert all(min(step.codes.min(), step.parts.min()) >= 0 for step in steps)


@given(st.integers(0, 30), st.integers(1, 6), st.booleans())
def test_no_table_of_the_rank_is_nearer(seed, k, center):
    X = random_table(seed)
    model = SVD(k, center=center).fit(X)
    if center:
        theirs = decomposition.PCA(k).fit(X)
        np.testing.assert_allclose(np.abs(model.components_), np.abs(theirs.components_), atol=1e-8)
    elif k < 6:
        theirs = decomposition.TruncatedSVD(k, algorithm="arpack").fit(X)
        np.testing.assert_allclose(model.singular_values_, theirs.singular_values_, rtol=1e-8)
    np.testing.assert_allclose(model.transform(X), model.codes_, atol=1e-9)
    energies = [step.energy for step in SVD(6, center=center).steps(X)]
    assert (np.diff(energies) >= -1e-12).all()


@given(st.integers(0, 20), st.sampled_from(["linear", "sigmoid"]))
def test_gradients_are_those_of_small_changes(seed, activation):
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(7, 3))
    weights = [rng.normal(size=shape) for shape in ((3, 2), (2,), (2, 3), (3,))]
    _, slopes = gradients(Z, weights, activation)
    for k, slope in enumerate(slopes):
        for at in np.ndindex(slope.shape):
            errors = []
            for change in (1e-6, -1e-6):
                moved = [weight.copy() for weight in weights]
                moved[k][at] += change
                errors.append(gradients(Z, moved, activation)[0])
            assert slope[at] == pytest.approx((errors[0] - errors[1]) / 2e-6, rel=1e-4, abs=1e-7)


def test_linear_units_find_the_plane_of_the_components():
    X = random_table(4, 60)
    net = Autoencoder(2, activation="linear", max_iter=1000, random_state=0).fit(X)
    assert net.energy_ == pytest.approx(SVD(2, center=True).fit(X).energy_, abs=1e-3)


@given(st.integers(0, 30), st.integers(1, 4))
def test_scikit_learn_pursues_the_same(seed, max_atoms):
    rng = np.random.default_rng(seed)
    Z, atoms = rng.normal(size=(8, 6)), rng.normal(size=(5, 6))
    atoms /= np.linalg.norm(atoms, axis=1)[:, None]
    theirs = orthogonal_mp(atoms.T, Z.T, n_nonzero_coefs=max_atoms).T
    np.testing.assert_allclose(pursue(Z, atoms, max_atoms), theirs, atol=1e-8)


@given(st.integers(0, 20))
def test_atoms_have_length_one_and_rows_use_few(seed):
    model = SparseCoding(5, n_nonzero_coefs=2, max_iter=4, random_state=seed)
    steps = list(model.steps(random_table(seed)))
    for step in steps:
        np.testing.assert_allclose(np.linalg.norm(step.parts, axis=1), 1)
        assert ((step.codes != 0).sum(axis=1) <= 2).all()
    codes = [step.energy for step in steps if step.phase == "atoms"]
    before = [step.energy for step in steps if step.phase == "code"]
    assert all(later >= sooner - 1e-9 for sooner, later in zip(before, codes, strict=False))


@ALL
def test_tables_without_anything_to_say(algorithm):
    for X in (np.zeros((4, 3)), np.ones((4, 3)), np.eye(2)):
        model = seeded(algorithm, 2).fit(X)
        assert np.isfinite(model.transform(X)).all()
        assert model.inverse_transform(model.transform(X)).shape == X.shape
        assert model.energy_ <= 1 + 1e-12


def test_updates_that_end_before_they_converge_warn():
    model = NMF(2, max_iter=3, tol=1e-6, random_state=0)
    sentence = "Not converged after 3 updates; raise max_iter or tol"
    with pytest.warns(ConvergenceWarning, match=sentence):
        model.fit(random_table(0))
    assert not model.step_.converged
    enough = NMF(2, max_iter=1000, tol=0.01, random_state=0).fit(random_table(0))
    assert enough.step_.converged
    assert enough.n_iter_ < 1000


def test_negative_numbers_are_refused_with_a_way_out():
    with pytest.raises(ValueError, match=r"column 1 holds -3\. Scale the columns from 0 to 1"):
        NMF().fit([[1.0, 2.0], [-3.0, 1.0]])


def test_empty_cells_of_a_table_of_rank_one_are_found():
    Z = np.outer(np.linspace(-2, 2, 30), np.linspace(-1.5, 1.5, 8))
    observed = np.random.default_rng(0).random(Z.shape) > 0.2
    assert np.abs(fill(Z, observed, 1, np.random.default_rng(1)) - Z)[~observed].mean() < 0.2
    means = fill(Z, observed, 0, np.random.default_rng(1))
    np.testing.assert_allclose(means[0], np.nanmean(np.where(observed, Z, np.nan), axis=0))


def digits():
    table = load("digits")
    return Run.of(prepare(table.frame[:200], list(table.numeric), target="digit"), SVD(3))


def test_the_figures_show_their_numbers():
    run = digits()
    figure = energy_by_rank(run)
    names = [trace.name for trace in figure.data[:3]]
    assert names == ["SVD", "PCA (columns centred)", "NMF, 60 updates"]
    assert figure.data[0].y[2] == pytest.approx(run.fitted.energy_)
    data = empty_data(run, lambda task: None)
    assert data.observed[:, 0].mean() == pytest.approx(1, abs=0.1)
    assert (np.diff(data.observed.mean(axis=0)) < 0).all()
    title = plot_empty(data).layout.title.text
    assert "Emptied cells are predicted best" in title.replace("<br>", " ")


def caption(title, **settings):
    (preset,) = (preset for preset in presets(SLUG) if preset.title == title)
    return stage(visit(SLUG, **{**link_of(SLUG, preset), **settings}))["frames"][-1]["caption"]


@pytest.mark.parametrize(
    ("title", "settings", "sentence"),
    [
        ("Parts of digits", {}, "12 parts keep 89.7 %"),
        (
            "The nearest table of rank ten",
            {},
            "91.5 % of the energy, with 4,640 numbers for 25,600 cells",
        ),
        ("The nearest table of rank ten", {f"{SLUG}.n_components": "4"}, "81.6 %"),
        ("Centred it is PCA", {}, "86.8 %"),
        ("Through six units", {}, "86.5 %"),
        ("Through six units", {f"{SLUG}.activation": "linear"}, "86.9 %"),
        ("Three atoms a digit", {}, "91.3 %"),
        ("Three atoms a digit", {f"{SLUG}.n_nonzero_coefs": "1"}, "87.2 %"),
        ("What all rows share", {f"{SLUG}.n_components": "1"}, "1 part keeps 99.9 %"),
    ],
)
def test_a_preset_shows_what_it_says(title, settings, sentence):
    assert sentence in caption(title, **settings)


def test_a_large_table_is_taken_along_with_all_its_rows():
    frame = pd.DataFrame(random_table(0, 60, 4), columns=list("abcd")).assign(kind="x")
    problem = prepare(frame.iloc[:20], list("abcd"))
    codes = codes_of_all(problem, frame, SVD(2).fit(problem.X))
    expected = SVD(2).fit(frame[list("abcd")].to_numpy()).codes_
    np.testing.assert_allclose(codes[["svd0", "svd1"]], expected)
    assert codes.attrs["note"] == "The parts were made anew of all 60 rows."
    codes = codes_of_all(problem, frame, NMF(2, random_state=0).fit(problem.X))
    assert (len(codes), codes["kind"].unique().tolist()) == (60, ["x"])
    assert "The parts are those of the 20 rows of the picture" in codes.attrs["note"]


def test_ratings_that_are_missing_are_neither_learned_nor_judged():
    """Ratings of rank 2, a third missing: whatever the missing cells are, the error is the same."""
    rng = np.random.default_rng(0)
    ratings = rng.normal(size=(80, 2)) @ rng.normal(size=(2, 10))
    frame = pd.DataFrame(ratings, columns=[f"film {j}" for j in range(10)])
    frame = frame.mask(rng.random(frame.shape) < 0.3)
    table = Table(frame, dict.fromkeys(frame, "numeric"), "ratings")
    run = replace(Run.of(prepare(frame, list(frame), holes="fill"), SVD(2)), table=table)
    data = empty_data(run, lambda task: None)
    assert data.missing == pytest.approx(float(frame.isna().to_numpy().mean()))
    error = data.empty.mean(axis=0)
    assert error[0] == pytest.approx(1, abs=0.15)  # the mean of the column
    assert error[1:].argmin() == 1
    assert error[2] < 0.3
    assert "27.6 % are missing" in plot_empty(data).layout.title.text


def test_codes_of_all_rows_where_the_sample_has_not_the_least_values():
    frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0, 4.0], "b": [-1.0, 5.0, 6.0, 8.0, 9.0]})
    problem = prepare(frame.iloc[1:4], ["a", "b"], scaling="min-max")
    codes = codes_of_all(problem, frame, NMF(2, max_iter=500, random_state=0).fit(problem.X))
    assert len(codes) == 5
    assert "2 values lie below 0 on the scale of these rows" in codes.attrs["note"]
    assert (codes.iloc[0] < 1e-6).all()


def linked_table(frame, of):
    return next(block for block in frame.ledger if getattr(block, "by", "") == of)


def test_weights_and_cells_answer_to_their_pixels():
    frame = load("iris").frame[["sepal_length", "sepal_width", "petal_length", "petal_width"]]
    problem = prepare(frame[:20], list(frame))
    scene = factorisation_scene(Run.of(problem, SVD(2), selected=3))
    table, rebuilt, weights = [mark for mark in scene.marks if isinstance(mark, Raster)]
    heaviest = linked_table(scene.frames[2], weights.of)
    numbers = channel_at(weights.numbers, 2)
    places = [np.flatnonzero(numbers == number).item() for number in heaviest.numbers]
    assert [problem.features[place % 4] for place in places] == [row[0] for row in heaviest.rows]
    assert {place // 4 for place in places} == {1}  # the second component stands below the first
    sizes = [int(weights.shade.rows[2][place]) for place in places]
    assert sizes[0] == 255
    assert sizes == sorted(sizes, reverse=True)
    errors = linked_table(scene.frames[-1], table.of)
    for number, row in zip(errors.numbers, errors.rows, strict=True):
        place = np.flatnonzero(channel_at(table.numbers, -1) == number).item()
        assert (place // 4, problem.features[place % 4]) == (3, row[0])
    assert (channel_at(rebuilt.numbers, -1) == channel_at(table.numbers, -1)).all()


@pytest.mark.parametrize("names", [list("abcdef"), [f"pixel_{i // 8}_{i % 8}" for i in range(64)]])
def test_parts_answer_to_their_rows_or_pictures(names):
    problem = prepare(pd.DataFrame(random_table(0, p=len(names)), columns=names), names)
    scene = factorisation_scene(Run.of(problem, NMF(3, max_iter=3, random_state=0)))
    weights, frames = [mark for mark in scene.marks if mark.panel == "parts"]
    assert linked_table(scene.frames[1], frames.of).head[0] == "part"
    x = np.linspace(*weights.extent[:2], weights.width + 1)[:-1] + 0.5
    y = np.linspace(*weights.extent[2:], weights.height + 1)[:-1][::-1] + 0.5
    channels = (frames.numbers, frames.x0, frames.x1, frames.y0, frames.y1)
    values = [channel_at(channel, 1) for channel in channels]
    for number, x0, x1, y0, y1 in zip(*values, strict=True):
        inside = np.outer((y0 < y) & (y < y1), (x0 < x) & (x < x1)).ravel()
        first = (number - 1) * len(names) + 1
        expected = list(range(first, first + len(names)))
        assert sorted(channel_at(weights.numbers, 1)[inside]) == expected
    assert not channel_at(frames.x0, -1).size  # the last ledger is about single weights
