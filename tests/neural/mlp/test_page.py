"""The page of the multilayer perceptron: its presets show what they say; its tools and links."""

from functools import partial

import numpy as np
import pytest

from dmlib.datasets import load
from dmlib.neural import MLPClassifier
from dmlib.neural.activations import ACTIVATIONS
from dmlib.neural.gradients import numerical_gradient
from dmlib.neural.layers import forward
from dmlib.neural.losses import LOSSES
from dmlib.neural.mlp.figures.misclassified import misclassified_data
from dmlib.neural.mlp.figures.weights import weights_data
from dmlib.neural.mlp.scene import mlp_scene
from dmlib.pictures.marks import Rects, Segments
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.pictures.examples import at, marks, tables
from tests.visit import open_preset, open_settings, technique

PRESETS = {preset.title: preset for preset in technique("mlp").presets}

open_link = partial(open_settings, "mlp")
run_of = partial(open_preset, "mlp")


def wrong(run, part):
    return int((run.fitted.predict(part.data) != part.y).sum())


def texts(frame):
    return [block["text"] for block in frame["ledger"] if "text" in block]


def table(frame, title):
    return next(block for block in frame["ledger"] if block.get("title", "").startswith(title))


def test_four_corners():
    run, _, look_for = run_of("Four corners")
    training, testing = run.problem.training, run.problem.testing
    assert f"{wrong(run, training)} of {len(training.X)} training rows" in look_for
    assert f"{wrong(run, testing)} of {len(testing.X)} test rows" in look_for


def test_one_row_and_its_numerical_gradient():
    run, scene, look_for = run_of("One row, forward and back")
    loss = next(frame for frame in scene["frames"] if frame["phase"] == "loss")
    for number in ("0.5828", "0.5398"):
        assert number in look_for
        assert number in loss["caption"]
    start, training = run.trace.steps[0], run.problem.training
    row, target = training.X[:1], np.array([[float(training.y[0])]])
    coefs = [W.copy() for W in start.coefs]
    f, cost = ACTIVATIONS["sigmoid"], LOSSES["binary_log_loss"]

    def loss_of_row():
        output = forward(row, coefs, start.intercepts, f, cost).output
        return float(cost.loss(output, target)[0])

    expected = numerical_gradient(loss_of_row, coefs)
    for layer, frame in ((1, scene["frames"][-3]), (0, scene["frames"][-2])):
        rows = table(frame, "Backward")["rows"]
        gradient, numerical = [line[2] for line in rows], [line[3] for line in rows]
        np.testing.assert_allclose(gradient, expected[layer].T.ravel(), atol=1e-6)
        np.testing.assert_allclose(gradient, numerical, atol=1e-7)
    assert [frame["phase"] for frame in scene["frames"]] == [
        "start",
        "forward",
        "forward",
        "loss",
        "backward",
        "backward",
        "update",
    ]


def test_layers_without_a_bend():
    run, _, look_for = run_of("Layers without a bend")
    training = run.problem.training
    assert f"{wrong(run, training) / len(training.X):.2%}".replace("%", " %") in look_for
    product = np.linalg.multi_dot(run.fitted.coefs_)
    assert product.shape == (2, 1)


def test_two_spirals():
    run, _, _ = run_of("Two spirals")
    assert wrong(run, run.problem.training) == wrong(run, run.problem.testing) == 0
    poor, _, _ = run_of("Two spirals", layers=1, units1=2)
    assert wrong(poor, poor.problem.training) > 0


def test_the_validation_loss_turns():
    run, scene, look_for = run_of("The validation loss turns")
    last = run.trace.steps[-1]
    assert f"after epoch {last.best_epoch} it rises" in look_for
    assert last.epoch - last.best_epoch == 20
    assert f"since epoch {last.best_epoch}" in scene["frames"][-1]["caption"]
    assert run.trace.steps[-2].loss < run.trace.steps[last.best_epoch].loss  # of the training rows


def test_the_learning_rate_is_too_large():
    run, scene, look_for = run_of("The learning rate is too large")
    assert "in epoch 9 the weights grow without bound" in look_for
    reason = "The weights grow without bound in epoch 9: the learning rate 2 is too large."
    assert reason in scene["frames"][-1]["caption"]
    for array in scene["arrays"]:
        assert array.dtype.kind != "f" or not np.isinf(array).any()
    assert run.trace.steps[-1].epoch == 9
    settings = dict(PRESETS["The learning rate is too large"].settings) | {"learning_rate": 0.1}
    assert open_link(**settings)[0].fitted.converged_


def test_dead_units():
    _, scene, look_for = run_of("Dead units")
    assert "all 10 are dead" in look_for
    assert "10 units are dead: 0 for every row." in scene["frames"][-1]["caption"]
    _, scaled, _ = run_of("Dead units", scaling="z-score")
    assert "10 units are dead" not in scaled["frames"][-1]["caption"]


def test_a_curve_over_one_column():
    run, scene, _ = run_of("A curve from bends")
    assert run.fitted.r2_ > 0.85
    line = next(
        mark for mark in scene["marks"] if mark["kind"] == "Line" and mark["panel"] == "data"
    )
    assert line["tween"]


def test_handwritten_digits_and_their_errors():
    run, _, look_for = run_of("Handwritten digits")
    errors = misclassified_data(run)
    image = errors.images[0]
    assert f"{errors.n_all} of {len(run.problem.testing.X)} test rows" in look_for
    assert len(errors.images) == errors.n_all
    assert image.shape == (8, 8)
    assert 0 <= image.min() <= image.max() == 16  # as the table has them, not as they are scaled
    assert not any(map(str.__eq__, errors.true, errors.predicted))
    weights = weights_data(run.fitted.coefs_)
    assert weights.of_pixels
    assert weights.images[0].shape == (8, 8)


def test_iris_by_25_units():
    run, scene, look_for = run_of("Iris by 4 - 25 - 3")
    training = run.problem.training
    assert [W.size for W in run.fitted.coefs_] == [100, 75]
    assert (wrong(run, training), len(training.X)) == (2, 150)  # as published: 1.3 % of 150
    assert "49 of 150 training rows are misclassified" in scene["frames"][1]["caption"]
    assert "After one epoch 49 of all 150 flowers are misclassified" in look_for
    last = scene["frames"][-1]["caption"]
    assert last == "Done after 400 epochs: 2 of 150 training rows are misclassified."


def test_layers_come_and_go():
    run, _ = open_link(layers=3, units1=2, units2=5)
    assert run.model.hidden_layer_sizes == (2, 5, 4)
    assert open_link(layers=0)[0].fitted.coefs_[0].shape == (2, 1)


def test_the_epoch_that_is_looked_into():
    for chosen in (0, 7, 5000):
        run, scene = open_link(show="row", at=chosen)
        epoch = min(chosen, run.trace.steps[-1].epoch)
        assert scene["frames"][0]["caption"].endswith(f"weights of epoch {epoch}.")


def test_large_columns_are_offered_to_be_scaled():
    _, scene = open_link(scaling="none")
    label = "Standardise the columns"
    assert label not in [control["label"] for control in scene["controls"]]  # all are below 10
    _, scene = open_link(source="library", data="penguins")
    assert label in [control["label"] for control in scene["controls"]]


@pytest.mark.parametrize(
    "settings", [{"activation": "relu"}, {"loss": "hinge"}, {"loss": "squared_error"}], ids=str
)
def test_three_classes_have_three_outputs(settings):
    run, scene = open_link(source="library", data="iris", show="row", **settings)
    assert run.fitted.n_outputs_ == 3
    loss = next(frame for frame in scene["frames"] if frame["phase"] == "loss")
    assert len(table(loss, "Loss")["rows"]) == 3


def iris_scene(**options):
    problem = prepare(
        load("iris").frame, ["petal_length", "petal_width"], target="species", labelled=True
    )
    model = MLPClassifier((12, 3), max_iter=1, random_state=0)
    return mlp_scene(Run.of(problem, model, query=problem.query(sample=0), options=options))


def test_a_layer_answers_to_its_weights():
    """Of twelve units ten are drawn; weights of a layer lead from the units before to its own."""
    scene = iris_scene()
    table = tables(scene.frames[-1])["Weights"]
    (edges,) = marks(scene, Segments, "network", of=table.by)
    numbers, x0, x1 = at(edges.numbers, -1), at(edges.x0, -1), at(edges.x1, -1)
    for layer, (number, n_weights) in enumerate(zip(table.numbers, (20, 30, 9), strict=True)):
        in_layer = numbers == number
        assert in_layer.sum() == n_weights
        assert (x0[in_layer].round() == layer).all()
        assert (x1[in_layer].round() == layer + 1).all()


def test_a_unit_answers_to_its_place():
    scene = iris_scene(show="row")
    (units,) = marks(scene, Rects, "network", of="unit")
    x0, x1, y0, y1 = (at(getattr(units, name), -1) for name in ("x0", "x1", "y0", "y1"))
    x, y, numbers = (x0 + x1) / 2, (y0 + y1) / 2, at(units.numbers, -1).tolist()
    layers = []
    for frame in scene.frames[:5]:  # the input, three layers, and the loss
        (table,) = tables(frame).values()
        parts = [numbers.index(number) for number in table.numbers if number is not None]
        layers.append((x[parts].round().tolist(), len(table.rows)))
        assert (np.diff(y[parts]) < 0).all()  # from top to bottom
    assert layers == [([0] * 2, 2), ([1] * 10, 12), ([2] * 3, 3), ([3] * 3, 3), ([3] * 3, 3)]


def test_what_the_outputs_say_answers_to_their_units():
    scene = iris_scene()
    table = next(iter(tables(scene.frames[-1]).values()))
    (units,) = marks(scene, Rects, "network", of=table.by)
    assert [at(units.x1, -1)[number - 1] > 3 for number in table.numbers] == [True] * 3
