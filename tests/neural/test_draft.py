"""A draft, drawn while a control moves, is an earlier state of the run that follows at rest."""

import numpy as np
import pytest
from sklearn.base import clone

from dmlib.neural import (
    LSTM,
    NARX,
    Adaline,
    BoltzmannMachine,
    ConvNet,
    DeepMLPClassifier,
    ElmanNetwork,
    GradientDescent,
    MLPClassifier,
    MLPRegressor,
    Perceptron,
    RestrictedBoltzmannMachine,
)
from dmlib.problem import prepare_surface

RNG = np.random.RandomState(0)
X = RNG.normal(size=(300, 3))
CLASSES = RNG.randint(2, size=300)
LONG = {
    "mlp": (MLPClassifier(max_iter=80), (X, CLASSES)),
    "regression": (MLPRegressor(max_iter=80), (X, X[:, :2])),
    "deep": (DeepMLPClassifier(6, max_iter=20), (X, CLASSES)),
    "cnn": (ConvNet(max_iter=2), (RNG.uniform(size=(500, 8, 8)), RNG.randint(3, size=500))),
    "elman": (ElmanNetwork(max_iter=30), (np.sin(np.arange(150) / 3),)),
    "lstm": (LSTM(max_iter=30), (np.sin(np.arange(150) / 3),)),
    "narx": (NARX(max_iter=30), (np.sin(np.arange(150) / 3),)),
    "restricted": (RestrictedBoltzmannMachine(8, n_iter=20), (RNG.randint(2, size=(300, 16)),)),
    "perceptron": (Perceptron(max_iter=60), (X, CLASSES)),
    "adaline": (Adaline(max_iter=60), (X, CLASSES)),
    "descent": (
        GradientDescent("gradient,adam", max_iter=400, tol=0.0),
        (prepare_surface("x^2 + 10*y^2"),),
    ),
}


def weights_of(step):
    """Return the weights or places of a step, as one row of numbers."""
    parts = [
        getattr(step, name)
        for name in ("coefs", "weights", "parameters", "network", "places")
        if hasattr(step, name)
    ]
    return flat(parts)


def flat(part):
    if isinstance(part, dict):
        part = list(part.values())
    if isinstance(part, list | tuple):
        return np.concatenate([*map(flat, part)]) if part else np.empty(0)
    if hasattr(part, "arrays"):
        return flat(list(part.arrays))
    if hasattr(part, "__dataclass_fields__"):
        return flat(list(vars(part).values()))
    return np.ravel(part)


@pytest.mark.parametrize("name", LONG)
def test_a_draft_is_a_shorter_run_that_begins_as_the_whole(name):
    model, data = LONG[name]
    model = clone(model).set_params(random_state=1)
    lowered = model.draft(*data)
    (parameter,) = lowered
    assert 1 <= lowered[parameter] < getattr(model, parameter)
    steps = list(model.steps(*data))
    draft = clone(model).set_params(**lowered)
    draft_steps = list(draft.steps(*data))
    assert draft_steps[-1].phase == "done"
    for draft_step, step in zip(draft_steps[:-1], steps, strict=False):
        assert draft_step.phase == step.phase
        np.testing.assert_array_equal(weights_of(draft_step), weights_of(step))
    assert draft.draft(*data) == lowered  # a draft of a draft is the draft


@pytest.mark.parametrize("name", LONG)
def test_a_short_run_is_its_own_draft(name):
    model, data = LONG[name]
    (parameter,) = model.draft(*data)
    assert clone(model).set_params(**{parameter: 1}).draft(*data) == {parameter: 1}


def test_the_draft_of_a_machine_learns_and_samples_less():
    model = BoltzmannMachine(learning="likelihood", n_iter=5000, n_learning=1000)
    lowered = model.draft(RNG.randint(2, size=(9, 10)))
    assert lowered["n_iter"] < 5000
    assert lowered["n_learning"] < 1000
    assert "n_learning" not in model.set_params(learning="hebb").draft(RNG.randint(2, size=(9, 10)))


def all_of(step):
    """Return the texts of a step, and its numbers."""
    values = [value for value in vars(step).values() if value is not None]
    texts = [value for value in values if isinstance(value, str)]
    return texts, flat([value for value in values if not isinstance(value, str)])


WILD = {
    "deep": (DeepMLPClassifier(3, 8, "relu", init="normal", learning_rate=100.0), (3 * X, CLASSES)),
    "elman": (
        ElmanNetwork(optimizer="sgd", clip=None, learning_rate=2.0, max_iter=30),
        LONG["elman"][1],
    ),
}


@pytest.mark.parametrize(
    "name", ["deep", "elman", "lstm", "narx", "restricted", "wild deep", "wild elman"]
)
def test_a_run_is_a_part_of_a_longer_one(name):
    model, data = WILD[name.removeprefix("wild ")] if " " in name else LONG[name]
    longer = clone(model).set_params(random_state=1, **{model.LENGTH: 25})
    all_steps = list(longer.steps(*data))
    if " " in name:
        assert "grow without bound" in all_steps[-1].reason
        assert len(all_steps) < 25
    for n in range(1, 26):
        shorter = clone(longer).set_params(**{model.LENGTH: n})
        expected_steps = list(shorter.steps(*data))
        n_needed = next(
            k
            for k in range(len(all_steps) + 1)
            if shorter.shortened(all_steps[:k], *data) is not None
        )
        assert n_needed <= len(expected_steps)
        for steps in (all_steps[:n_needed], all_steps):
            shortened = shorter.shortened(steps, *data)
            assert len(shortened) == len(expected_steps)
            for step, expected in zip(shortened, expected_steps, strict=True):
                assert all_of(step)[0] == all_of(expected)[0]
                np.testing.assert_array_equal(all_of(step)[1], all_of(expected)[1])
