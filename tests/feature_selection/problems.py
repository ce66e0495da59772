"""The tables that the page and its lesson speak of, with an algorithm each."""

from dmlib.datasets import load
from dmlib.pictures.run import Run
from dmlib.problem import prepare

FIVE = ["wt", "cyl", "hp", "qsec", "am"]
TEN = ["cyl", "disp", "hp", "drat", "wt", "qsec", "vs", "am", "gear", "carb"]


def cars(model, columns=FIVE, **params):
    problem = prepare(
        load("mtcars").frame, columns, target="mpg", labelled=True, numeric_target=True
    )
    return Run.of(problem, model, **params)


def iris(model):
    frame = load("iris").frame
    return Run.of(prepare(frame, list(frame.columns[:4]), target="species", labelled=True), model)
