import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.metrics import confusion_matrix
from sklearn.naive_bayes import GaussianNB

from dmlib.datasets import load
from dmlib.pictures.figures.confusion_matrix import confusion_data, plot_confusion_matrix
from dmlib.problem import prepare


def iris(**how):
    return prepare(
        load("iris").frame, ["sepal_length", "sepal_width"], target="species", labelled=True, **how
    )


def test_counts_are_those_of_each_part():
    problem = iris(test_size=0.4)
    model = GaussianNB().fit(problem.training.X, problem.training.y)
    data = confusion_data(problem, model)
    assert data.parts == ("training", "test")
    for part, counts in zip((problem.training, problem.testing), data.counts, strict=True):
        np.testing.assert_array_equal(counts, confusion_matrix(part.y, model.predict(part.X)))


def test_a_class_that_is_never_predicted_keeps_its_row_and_column():
    problem = iris()
    data = confusion_data(problem, DummyClassifier().fit(problem.X, problem.y))
    assert data.counts[0].tolist() == [[50, 0, 0]] * 3


def test_the_title_has_the_errors():
    problem = iris()
    figure = plot_confusion_matrix(
        confusion_data(problem, DummyClassifier().fit(problem.X, problem.y))
    )
    assert "100 of 150 = 66.7 %" in figure.layout.title.text
