"""Learning: scikit-learn's weights, truncation, forecasts, errors, and series that are refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPRegressor
from sklearn.neural_network._stochastic_optimizers import AdamOptimizer

from dmlib.comparison import Incomparable
from dmlib.datasets.sequences import (
    REBER,
    adding_problem,
    heated_room,
    next_letters,
    reber_grammar,
    sine_wave,
)
from dmlib.neural import LSTM, NARX, ElmanNetwork
from dmlib.neural.rnn.figures.horizons import horizons_data
from dmlib.neural.rnn.figures.memory import memory_data
from dmlib.neural.rnn.reference import rnn_reference
from dmlib.neural.rnn.task import task_of
from dmlib.pictures.run import Run
from dmlib.problem import prepare_series
from dmlib.problem.sequences import SequencesProblem

WAVE, ROOM = sine_wave().values[0], heated_room()
KINDS = [ElmanNetwork, LSTM, NARX]


@pytest.mark.parametrize("exog", [None, np.cos(np.arange(120.0))])
def test_narx_is_scikit_learns_network_of_the_delayed_values(exog):
    model = NARX(
        5, delays=4, max_iter=30, clip=None, learning_rate=0.01, horizon=10, random_state=0
    )
    steps = list(model.steps(WAVE, exog))
    z = task_of(WAVE, 10, 4).X[0, :, 0]
    target = task_of(WAVE, 10, 4).Y[0, :, 0]
    inputs = z[:, None]
    if exog is not None:  # each value with the exogenous input of the next one
        inputs = np.column_stack([z, ((exog - exog[:110].mean()) / exog[:110].std())[1:110]])
    line = np.vstack([np.zeros((3, inputs.shape[1])), inputs])
    windows = np.column_stack([line[3 - k : 3 - k + len(z)] for k in range(4)])
    theirs = MLPRegressor(
        hidden_layer_sizes=(5,),
        activation="tanh",
        alpha=0.0,
        batch_size=len(z),
        shuffle=False,
        learning_rate_init=0.01,
        max_iter=1,
        random_state=0,
    )
    theirs.partial_fit(windows, target)
    start = steps[0].weights
    for array, name in zip([*theirs.coefs_, *theirs.intercepts_], "WVba", strict=True):
        array[...] = start[name]
    theirs._optimizer = AdamOptimizer([*theirs.coefs_, *theirs.intercepts_], 0.01)
    for _ in range(30):
        theirs.partial_fit(windows, target)
    last = steps[-1].weights
    for weights, expected in zip((last["W"], last["V"]), theirs.coefs_, strict=True):
        assert_allclose(weights, expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("kind", [ElmanNetwork, LSTM])
def test_a_truncation_beyond_the_sequence_is_none(kind):
    complete, truncated = (
        kind(3, truncation=k, max_iter=5, random_state=0).fit(WAVE) for k in (None, 500)
    )
    assert_allclose(complete.gradient_, truncated.gradient_)
    assert [step.updates for step in kind(3, truncation=25, max_iter=1).steps(WAVE)] == [0, 4, 0]


@pytest.mark.parametrize("kind", KINDS)
def test_a_forecast_has_its_outputs_as_inputs(kind):
    model = kind(4, max_iter=5, horizon=6, random_state=0).fit(WAVE)
    task = model.task_
    series = list(np.append(task.X[0, :, 0], task.Y[0, -1, 0]))
    for _ in range(6):
        series.append(float(model.predict(np.array(series)[None, :, None])[0, -1, 0]))
    assert_allclose(model.forecast_, task.shift + task.unit * np.array(series[-6:]))
    assert_allclose(model.predict(), model.forecast_)


@pytest.mark.parametrize("kind", KINDS)
def test_an_exogenous_input_of_the_next_value_is_an_input_of_the_forecast(kind):
    room, heater = ROOM.values
    model = kind(4, max_iter=5, horizon=6, random_state=0).fit(room, heater)
    n = len(room) - 6
    z = list((room[:n] - room[:n].mean()) / room[:n].std())
    u = (heater - heater[:n].mean()) / heater[:n].std()
    for _ in range(6):
        inputs = np.column_stack([z, u[1 : len(z) + 1]])[None]
        z.append(float(model.predict(inputs)[0, -1, 0]))
    assert_allclose(model.forecast_, room[:n].mean() + room[:n].std() * np.array(z[-6:]))
    changed = heater.copy()
    changed[-1] = 1 - changed[-1]  # the last value only
    moved = kind(4, max_iter=5, horizon=6, random_state=0).fit(room, changed).forecast_
    assert_allclose(moved[:-1], model.forecast_[:-1])
    assert abs(moved[-1] - model.forecast_[-1]) > 1e-9


def test_several_inputs_may_be_known_and_a_constant_one_says_nothing():
    room, heater = ROOM.values
    for second in (np.ones(len(heater)), heater):
        exog = np.column_stack([heater, second])
        model = NARX(3, delays=2, max_iter=3, random_state=0).fit(room, exog)
        assert model.weights_["W"].shape == (6, 3)
        assert np.isfinite(model.forecast_).all()


def test_a_heater_that_is_known_makes_the_better_forecast():
    room, heater = ROOM.values
    for kind in KINDS:
        without, with_heater = (kind(random_state=0).fit(room, exog) for exog in (None, heater))
        assert with_heater.test_error_ < without.test_error_ / 5
    data = horizons_data(Run.of(prepare_series(ROOM.values, ROOM.names), NARX(random_state=0)))
    assert (data.network < data.naive).all()


def test_a_room_cools_by_newtons_law():
    room, heater = heated_room(noise=0.0, random_state=3).values
    assert_allclose(room[1:], room[:-1] + 0.12 * (8 - room[:-1]) + 2.4 * heater[1:])
    assert 8 < room.min() < room.max() < 28


@settings(max_examples=15)
@given(shift=st.floats(-1e3, 1e3), unit=st.floats(1e-3, 1e3))
def test_a_forecast_moves_with_its_series(shift, unit):
    plain, moved = (
        NARX(3, delays=3, max_iter=3, horizon=5, random_state=0).fit(x)
        for x in (WAVE, shift + unit * WAVE)
    )
    expected = shift + unit * plain.forecast_
    assert_allclose(moved.forecast_, expected, rtol=1e-6, atol=1e-6 * (unit + abs(shift)))


def test_perfect_knowledge_of_nothing_is_the_naive_error():
    data = reber_grammar()
    step = next(iter(ElmanNetwork(random_state=0).steps(data)))
    task = task_of(data, 1)
    shares = (task.Y * task.mask[..., None]).sum(axis=(0, 1)) / task.mask.sum()
    _, Y, mask = task.held_out
    test_shares = (Y * mask[..., None]).sum(axis=(0, 1)) / mask.sum()
    assert shares[0] == 0  # B only comes first
    shares[0] = 0.5 / task.mask.sum()
    loss = -(test_shares * np.log(shares / shares.sum())).sum()
    assert step.naive_error == pytest.approx(np.exp(loss))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "data",
    [
        ROOM.values[:1],
        ROOM.values,
        adding_problem(n_sequences=20, length=6),
        reber_grammar(n_sequences=20),
    ],
    ids=["series", "known", "sums", "grammar"],
)
def test_the_check_agrees_with_scipy_and_scikit_learn(kind, data):
    if isinstance(data, tuple):
        problem = prepare_series(data, ROOM.names[: len(data)])
    else:
        problem = SequencesProblem(data)
    run = Run.of(problem, kind(3, max_iter=4, random_state=0))
    names = {"X": run.problem.data, "model": run.fitted}
    exec(rnn_reference(run).code, names)
    reference = rnn_reference(run).answer(run)
    assert_allclose(run.fitted.gradient_, reference.gradient_, atol=1e-6)
    for name in ("loss_", "test_error_", "naive_error_"):
        assert_allclose(getattr(run.fitted, name), getattr(reference, name), rtol=1e-6)
        assert_allclose(getattr(names["reference"], name), getattr(reference, name))


def test_too_many_weights_are_not_compared():
    with pytest.raises(Incomparable, match="weights takes too long"):
        rnn_reference(Run.of(prepare_series([WAVE], ["x"]), LSTM(24, max_iter=1)))


@pytest.mark.parametrize("kind", KINDS)
def test_series_that_cannot_be_learned_from(kind):
    with pytest.raises(ValueError, match="All training values are equal"):
        kind().fit(np.ones(80))
    reason = r"The series has 20 values.* Choose a shorter horizon or window."
    with pytest.raises(ValueError, match=reason):
        kind().fit(WAVE[:20])
    for exog, sentence in (
        (np.ones(79), "79 further inputs for 120 values"),
        (np.full(120, np.inf), "Further inputs are numbers within"),
    ):
        with pytest.raises(ValueError, match=sentence):
            kind().fit(WAVE, exog)
    with pytest.raises(ValueError, match="Further inputs go with a series"):
        kind().fit(reber_grammar(n_sequences=8), np.ones(8))
    for bad in (np.full(80, np.nan), np.ones((80, 2)), 1e200 * WAVE):
        with pytest.raises(ValueError, match="A series is one sequence of numbers"):
            kind().fit(bad)


@pytest.mark.parametrize("kind", KINDS)
def test_a_learning_rate_that_diverges_keeps_finite_weights(kind):
    reason = r"grow without bound in epoch \d+: the learning rate 1000 is too large"
    with pytest.warns(ConvergenceWarning, match=reason):
        model = kind(learning_rate=1000.0, clip=None).fit(WAVE)
    assert all(np.isfinite(weight).all() for weight in model.weights_.values())
    assert np.isfinite(model.forecast_).all()


def test_strings_of_the_grammar_follow_its_arrows():
    data = reber_grammar(n_sequences=40, random_state=3)
    for i in range(40):
        state = 0
        for letter in data.text(i)[1:]:
            arrows = {arrow[0]: int(arrow[1:] or 0) for arrow in REBER[state].split()}
            assert letter in arrows
            state = arrows[letter]
        assert state == 5  # E comes next
    embedded = reber_grammar(n_sequences=40, embedded=True, random_state=3)
    for i in range(40):
        text = embedded.text(i)
        assert text[1] == text[-1]


def test_the_sum_is_that_of_the_marked_numbers():
    data = adding_problem(n_sequences=30, length=9)
    assert_allclose(data.targets[:, -1, 0], (data.inputs[..., 0] * data.inputs[..., 1]).sum(axis=1))
    assert (data.inputs[:, :4, 1].sum(axis=1) == 1).all()
    assert (data.inputs[..., 1].sum(axis=1) == 2).all()


def test_letters_are_followed_by_the_next():
    text = "to be or not to be that is the question"
    data = next_letters(text, length=10)
    assert "".join(data.text(i) for i in range(len(data.inputs))) == text[:-1]
    assert data.digest != next_letters(text[:-1] + "m", length=10).digest


def test_figures():
    run = Run.of(prepare_series([WAVE], ["x"]), ElmanNetwork(max_iter=30, random_state=0))
    data = horizons_data(run)
    assert data.network.shape == data.naive.shape == (30,)
    task = run.fitted.task_
    assert data.naive[0] == pytest.approx(np.sqrt(np.mean(np.diff(WAVE[-31:]) ** 2)))
    sequences = SequencesProblem(adding_problem(n_sequences=40, length=8))
    with pytest.raises(ValueError, match="Only a series is forecast"):
        horizons_data(Run.of(sequences, LSTM(max_iter=1)))
    reaches = memory_data(Run.of(sequences, NARX(delays=3, max_iter=2, random_state=0))).reaches
    assert set(reaches) == {"Elman", "LSTM", "NARX"}
    assert (reaches["NARX"][3:] == 0).all()
    assert task.is_series


@pytest.mark.parametrize(
    "X", [np.zeros(8), np.zeros((8, 1)), np.zeros((1, 8, 3))], ids=["series", "table", "inputs"]
)
def test_predict_says_which_sequences_it_takes(X):
    model = ElmanNetwork(2, max_iter=1, horizon=4).fit(np.sin(np.arange(30)))
    assert model.predict(np.zeros((2, 5, 1))).shape == (2, 5, 1)
    reason = r"predict takes sequences, shape \(n_sequences, n_steps, 1\)"
    with pytest.raises(ValueError, match=reason):
        model.predict(X)
