"""The page of Boltzmann machines: its presets and its lesson say what happens; its tools."""

from functools import partial

import numpy as np
import pytest

from dmlib.comparison import Incomparable
from dmlib.datasets.drawn.patterns import encode_cells
from dmlib.neural import BoltzmannMachine, RestrictedBoltzmannMachine
from dmlib.neural.boltzmann.figures.dreams import N_STEPS, dreams_data
from dmlib.neural.boltzmann.figures.free_energies import free_energies_data
from dmlib.neural.boltzmann.reference import boltzmann_reference
from dmlib.neural.boltzmann.scene import boltzmann_scene
from dmlib.pictures.data.patterns import shades
from dmlib.pictures.marks import Raster
from dmlib.pictures.run import Run
from dmlib.problem import prepare_patterns
from tests.contract.test_lessons import section, text_of
from tests.pictures.examples import at
from tests.visit import open_preset, open_settings, sentences_of, visit

MACHINE = "Boltzmann machine"

open_link = partial(open_settings, "boltzmann")
run_of = partial(open_preset, "boltzmann")


def formulas(frame):
    return [block["text"] for block in frame["ledger"] if "text" in block]


def test_filters_for_digits():
    run, _, look_for = run_of("Filters for digits")
    first, last = run.trace.steps[0].reconstruction_error, run.fitted.reconstruction_error_
    assert f"from {first:.2f} to {last:.2g}" in look_for


def test_the_lower_rows_are_guessed():
    run, scene, look_for = run_of("The lower rows are guessed")
    erased = np.zeros(64, bool)
    erased[list(run.options["flips"])] = True
    pattern = np.where(erased, 0.0, run.problem.data[0])
    rebuilt = run.fitted.reconstruct(pattern[None])[0]
    around = np.arange(64) >= 40
    assert erased.sum() == 7
    assert run.problem.data[0][erased].all()
    assert f"{rebuilt[erased].mean():.0%}".replace("%", " %") in look_for
    assert f"{rebuilt[around & ~erased].mean():.0%}".replace("%", " %") in look_for
    cells = next(handle["cells"] for handle in scene["handles"] if handle["name"] == "flips")
    assert [int(cell) for cell in cells] == pattern.tolist()


def test_all_bars_and_stripes():
    run, _, look_for = run_of("All bars and stripes")
    assert f"to −{-run.fitted.log_likelihood_:.2f}" in look_for
    assert f"−{np.log(14):.2f}, minus" in look_for
    run, *_ = run_of("All bars and stripes", k=1)
    assert f"ends at −{-run.fitted.log_likelihood_:.2f}" in look_for


def test_the_learning_rate_is_too_large():
    run, _, look_for = run_of("The learning rate is too large")
    fitted, usual = run.fitted, run_of("Filters for digits")[0].fitted
    assert fitted.reconstruction_error_ == pytest.approx(2 * usual.reconstruction_error_, rel=0.1)
    assert f"{fitted.reconstruction_error_:.2f}, twice" in look_for
    likelihoods = f"−{-fitted.log_likelihood_:.2f} instead of −{-usual.log_likelihood_:.2f}"
    assert likelihoods in look_for


def test_two_units_by_hand():
    run, scene, look_for = run_of("Two units by hand")
    text = section(text_of("boltzmann"), "By hand")
    fitted = run.fitted
    assert "154 and 113 of 300" in look_for
    assert fitted.visits_[[0, 3]].tolist() == [154, 113]
    for result in (f"**{fitted.probabilities_[0]:.3f}**", f"**{fitted.probabilities_[1]:.3f}**"):
        assert result in text
    assert f"**−{-fitted.log_likelihood_:.3f}**" in text
    assert f"**{2 * np.exp(1) + 2 * np.exp(-1):.3f}**" in text
    assert f"**{1 / (1 + np.exp(-2)):.3f}**" in text
    units = [frame for frame in scene["frames"] if frame["phase"] == "unit"]
    lines = [line for frame in units for line in formulas(frame)]
    assert any("= 0.8808" in line or "= 0.1192" in line for line in lines)


def test_visits_and_the_exact_distribution():
    run, scene, look_for = run_of("Visits and the exact distribution")
    best = np.argsort(-run.fitted.probabilities_)[:2]
    assert run.fitted.probabilities_[best] == pytest.approx([0.23, 0.23], abs=0.005)
    assert f"{run.fitted.visits_[best].sum() / 300:.0%}".replace("%", " %") in look_for
    table = scene["frames"][-1]["ledger"][1]
    assert table["rows"][0][3] == pytest.approx(run.fitted.probabilities_.max(), abs=1e-3)


def test_too_cold_to_move():
    run, *_ = run_of("Too cold to move")
    assert run.fitted.probabilities_.max() == pytest.approx(0.5, abs=0.001)
    assert run.fitted.visits_.max() > 290


def test_annealing_finds_the_deepest_valley():
    run, _, look_for = run_of("Annealing finds the deepest valley")
    assert f"ends at −{-run.fitted.energy_:.2f}" in look_for
    cold, *_ = run_of("Annealing finds the deepest valley", cooling=1)
    assert f"stops at −{-cold.fitted.energy_:.2f}" in look_for
    sweeps = [step.temperature for step in run.trace.steps if step.phase == "sweep"]
    assert (sweeps[0], sweeps[-1]) == pytest.approx((5, 0.05))


def test_weights_that_are_learned():
    run, _, look_for = run_of("Weights that are learned")
    hebb, *_ = run_of("Visits and the exact distribution")
    start, end = -hebb.fitted.log_likelihood_, -run.fitted.log_likelihood_
    assert f"from −{start:.2f}, Hebb's, to −{end:.2f}" in look_for


# --- figures, costs, and what cannot be repeated --------------------------------------------------


@pytest.mark.parametrize("method", ["Restricted machine", MACHINE])
def test_figures_are_of_the_run(method):
    run, _ = open_link(data="small_bars", method=method)
    dreams, energies = dreams_data(run), free_energies_data(run)
    assert dreams.samples.shape == (len(N_STEPS), 8, 3, 3)
    assert ((dreams.samples >= 0) & (dreams.samples <= 1)).all()
    if method == MACHINE:
        assert -energies.values[0].mean() > -energies.values[2].mean()
    else:
        assert energies.values[0] == pytest.approx(run.fitted.free_energy(run.problem.data))


@pytest.mark.parametrize(
    "model",
    [
        RestrictedBoltzmannMachine(3, chains="persistent", k=2),
        BoltzmannMachine(learning="likelihood"),
    ],
)
def test_machines_that_no_library_has_are_incomparable(model):
    problem = prepare_patterns(np.eye(4).reshape(4, 2, 2))
    reason = r"scikit-learn's persistent chains|no installed library"
    with pytest.raises(Incomparable, match=reason):
        boltzmann_reference(Run.of(problem, model.set_params(random_state=0, n_iter=2)))


def test_too_much_work_is_refused_with_its_number():
    link = {"boltzmann.n_iter": "1000", "boltzmann.n_components": "256"}
    (sentence,) = sentences_of(visit("boltzmann", **link))
    assert sentence.endswith("Choose fewer epochs, hidden units and steps k.")
    link = {"boltzmann.method": MACHINE, "boltzmann.n_iter": "10000", "data": "many_digits"}
    link |= {"source": "generator", "generator": "random_patterns", "random_patterns.side": "20"}
    assert "operations; the limit is" in sentences_of(visit("boltzmann", **link))[0]


def test_cells_of_the_ledger_answer_to_those_of_the_data_and_the_sample():
    rng = np.random.default_rng(0)
    problem = prepare_patterns(rng.random((4, 3, 5)) < 0.5)
    model = RestrictedBoltzmannMachine(3, n_iter=1, random_state=0)
    scene = boltzmann_scene(Run.of(problem, model))
    i = next(i for i, frame in enumerate(scene.frames) if frame.phase == "negative")
    (table,) = (block for block in scene.frames[i].ledger if getattr(block, "by", "") == "cell")
    image = next(mark for mark in scene.marks if isinstance(mark, Raster) and mark.of == "cell")
    assert table.rows
    for number, where, *values in table.rows:
        linked = np.flatnonzero(at(image.numbers, i) == number)
        assert len(linked) == len(values) == 2
        assert at(image.pixels, i)[linked].tolist() == shades(values).tolist(), where


def test_drawn_patterns_can_be_drawn_on():
    _, scene = open_link(source="draw")
    assert {handle["name"] for handle in scene["handles"]} == {"flips", "patterns"}
    _, scene = open_link(source="draw", method=MACHINE)
    assert {handle["name"] for handle in scene["handles"]} == {"patterns"}


def test_a_filter_that_is_clicked_is_written_out():
    _, scene = open_link(point=5)
    assert scene["selected"] == 4
    assert any(line.startswith("unit 5: x = b + Σ w·v") for line in formulas(scene["frames"][-1]))
    switched = np.zeros((1, 8, 8), bool)
    switched[0, 0, 0] = True
    run, _ = open_link(**{"boltzmann.flips": encode_cells(switched)})
    assert run.options["flips"] == (0,)
