"""The page of recurrent networks: its presets and its lesson show what they say; its tools."""

import re
from functools import partial

import numpy as np
import pytest

from dmlib.neural.rnn.scene import rnn_scene
from dmlib.pictures.marks import Raster
from tests.contract.test_lessons import section, text_of
from tests.pictures.examples import at
from tests.visit import open_preset, panel, say, sentences_of, sound, stage, upload, visit

SLUG = "rnn"

run_of = partial(open_preset, SLUG)


def last(run):
    return run.trace.steps[-1]


@pytest.mark.parametrize(
    ("title", "numbers"),
    [
        ("A wave is forecast", ("start", "test", "naive")),
        ("LSTM remembers two numbers", ("test", "naive")),
        ("Elman forgets them", ("test", "naive")),
        ("The error goes back five steps only", ("test",)),
        ("NARX sees two values", ("test",)),
        ("The heater is known", ("test",)),
        ("Reber grammar", ("test", "naive")),
        ("The next letter of a text", ("test", "naive")),
        ("No network knows the Nile", ("test", "naive")),
    ],
)
def test_the_numbers_of_the_presets(title, numbers):
    run, _, look_for = run_of(title)
    errors = {
        "start": run.trace.steps[0].test_error,
        "test": last(run).test_error,
        "naive": last(run).naive_error,
    }
    for name in numbers:
        # Where nothing is learned, rounding counts.
        digits = 3 if (title, name) == ("Elman forgets them", "test") else 4
        assert f"{errors[name]:.{digits}g}" in look_for, (name, errors[name])
    learns_nothing = any(word in title for word in ("Nile", "NARX", "forgets"))
    assert (errors["test"] < errors["naive"]) == (not learns_nothing)


def test_what_the_presets_say_of_other_settings():
    run, _, look_for = run_of("The error goes back five steps only", truncation=12)
    assert f"Set the truncation to 12: {last(run).test_error:.4g}" in look_for
    run, _, look_for = run_of("NARX sees two values", delays=12)
    assert f"With 12 delays it is {last(run).test_error:.3g}" in look_for
    run, _, look_for = run_of("Elman forgets them", method="LSTM")
    assert f"Change the method to LSTM: {last(run).test_error:.4g}" in look_for
    run, _, look_for = run_of("The heater is known", exog=False)
    assert f"Switch it off under *Data*: {last(run).test_error:.4g}" in look_for


def test_gates_keep_two_of_thirty_numbers():
    run, _, look_for = run_of("Elman forgets, LSTM remembers")
    elman = last(run_of("Elman forgets, LSTM remembers", method="Elman")[0])
    # How many digits of Elman's error hold depends on the rounding of the processor.
    assert 0.9 * elman.naive_error < elman.test_error
    assert last(run).test_error < 0.5 * elman.naive_error
    assert f"{elman.naive_error:.3g}" in look_for


def test_a_learning_rate_that_is_too_large_is_reported_with_its_epoch():
    run, scene, look_for = run_of("The learning rate is too large")
    assert [step.phase for step in run.trace.steps] == ["start", "diverged", "done"]
    assert "in epoch 1" in look_for
    reason = "The weights grow without bound in epoch 1: the learning rate 3 is too large."
    assert reason in scene["frames"][1]["caption"]
    for settings in ({"clip": 1.0}, {"learning_rate": 0.5}):
        assert last(run_of("The learning rate is too large", **settings)[0]).n_iter == 100


def test_the_last_error_reaches_farther_back_in_an_lstm():
    reaches = {}
    for title in ("LSTM remembers two numbers", "Elman forgets them"):
        run, *_ = run_of(title)
        task = run.fitted.task_
        X, Y, _ = task.held_out
        reaches[title] = run.model.reach(last(run).weights, X, Y, task.loss)[::-1]
    lstm, elman = (reach / reach.max() for reach in reaches.values())
    assert lstm[-1] > 0.1
    assert elman[-1] < 1e-8  # a hundred-millionth, as the preset says


def test_by_hand_is_in_the_lesson():
    run, *_ = run_of("One unit by hand")
    weights = run.trace.steps[0].weights
    U, V = weights["U"].item(), weights["V"].item()
    X, Y, _ = run.fitted.task_.sequences
    outputs, signals, _ = run.model.answers(weights, X)
    text = section(text_of(SLUG), "By hand").replace("−", "-")
    before, h = signals["h"][0, 8:10, 0]
    x, y, target = X[0, 9, 0], outputs[0, 9, 0], Y[0, 9, 0]
    error = y - target
    delta = error * V * (1 - h**2)
    earlier = delta * U * (1 - before**2)
    numbers = [weights["W"].item(), U, V, x, target, before, h, y, error**2 / 2, error]
    for number in [*numbers, delta, earlier, before * delta, x * delta]:
        assert f"{number:.4f}" in text, number


def test_powers_of_the_lesson():
    text = text_of(SLUG)
    assert f"0.4^{{20}} = {0.4**20 * 1e8:.1f} \\cdot 10^{{-8}}" in text
    assert f"0.95^{{20}} = {0.95**20:.2f}" in text
    assert f"0.9^{{10}} = {0.9**10:.2f}" in text


@pytest.mark.parametrize(
    ("title", "of", "column", "shade"),
    [
        ("A wave is forecast", "unit", "h", lambda h: 255 * (h + 1) / 2),
        ("LSTM remembers two numbers", "unit", "c", lambda c: 255 * (np.tanh(c) + 1) / 2),
        ("NARX sees two values", "unit", "h", lambda h: 255 * (h + 1) / 2),
        ("Reber grammar", "symbol", "probability", lambda p: 255 * p),
    ],
)
def test_units_and_symbols_of_the_ledger_answer_to_their_cells_in_the_step(
    title, of, column, shade
):
    run, *_ = run_of(title)
    scene = rnn_scene(run)
    table = next(block for block in scene.frames[-1].ledger if getattr(block, "by", "") == of)
    image = next(mark for mark in scene.marks if isinstance(mark, Raster) and mark.of == of)
    numbers = table.numbers or [row[0] for row in table.rows]
    texts = [getattr(block, "text", "") for block in scene.frames[-1].ledger]
    (step,) = (int(match[1]) for text in texts if (match := re.match(r"Step (\d+): ", text)))
    assert len(numbers) > 1
    for number, row in zip(numbers, table.rows, strict=True):
        (place,) = np.flatnonzero(at(image.numbers, -1) == number)
        expected = shade(row[table.head.index(column)])
        assert image.pixels.rows[-1][place] == pytest.approx(expected, abs=1.1)
        assert place % image.width + 1 == step


def test_the_step_that_is_looked_into_is_dragged():
    page = sound(visit(SLUG))
    page = say(page, moved={"name": "look", "x": 33.4})
    assert panel(page)[f"{SLUG}.look"]["value"] == "33"
    texts = [block.get("text", "") for block in stage(page)["frames"][-1]["ledger"]]
    assert any(text.startswith("Step 33: ") for text in texts)


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({"source": "text", "text": "a"}, "too short, or has one letter only"),
        ({"source": "text", "text": "a" * 300}, "too short, or has one letter only"),
        ({"sine_wave.n_values": "20", f"{SLUG}.horizon": "30"}, "it needs 35"),
        (
            {"sine_wave.n_values": "40", f"{SLUG}.method": "NARX", f"{SLUG}.delays": "20"},
            "and 20 delays: it needs 54",
        ),
    ],
)
def test_what_cannot_be_learned_from_says_why(link, sentence):
    assert sentence in " ".join(sentences_of(sound(visit(SLUG, **link))))


def test_the_second_series_of_a_file_may_be_known():
    content = "flow,rain\n" + "".join(f"{10 + i % 7},{i % 5}\n" for i in range(80))
    page = sound(upload(SLUG, "rain.csv", content))
    assert not any("rain (known" in key["text"] for key in stage(page)["legend"])
    page = sound(upload(SLUG, "rain.csv", content, exog="True"))
    assert any("rain (known, scaled)" in key["text"] for key in stage(page)["legend"])


def test_series_that_are_not_known_at_the_same_times_are_no_inputs():
    rain = [f"{i % 5}" if i != 40 else "" for i in range(80)]
    content = "flow,rain\n" + "".join(f"{10 + i % 7},{rain[i]}\n" for i in range(80))
    page = sound(upload(SLUG, "rain.csv", content, exog="True"))
    assert "flow and rain are not known at the same times" in " ".join(sentences_of(page))


def test_a_text_is_data_and_no_markup():
    page = sound(visit(SLUG, source="text", text="<b>$x$ [a](b) *c* " * 10))
    assert len(stage(page)["frames"]) > 1
