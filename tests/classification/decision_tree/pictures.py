"""Problems and settings whose pictures the tests of decision trees look at."""

from dataclasses import replace
from functools import cache

from dmlib.classification import C45, CART, CHAID, ID3, QUEST, DecisionTreeClassifier, OneR
from dmlib.classification.decision_tree.scene import decision_tree_scene
from dmlib.datasets import load
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.classification.decision_tree.data import params_of

HEART = ("age", "sex", "chest_pain", "max_heart_rate", "st_depression", "vessels", "thal")


def problem_of(name, features=None, test_size=0.0, **how):
    table = load(name)
    features = list(features or (column for column in table.frame if column != table.target))
    return prepare(
        table.frame,
        features,
        target=table.target,
        labelled=True,
        test_size=test_size,
        holes="keep",
        **how,
    )


@cache
def grown(problem, **params):
    run = Run.of(problem, DecisionTreeClassifier(**params))
    assert run.fitted is not None
    return run


def scene_of(problem, query=None, draft=None, **params):
    first = grown(problem, **params)
    run = replace(first, query=query, options={"draft": draft}, size=10)
    run.take_over(first)
    return decision_tree_scene(run), run.fitted, run.trace


CASES = {
    "iris": (problem_of("iris", ["petal_length", "petal_width"], 0.3), {}),
    "iris, four columns": (problem_of("iris"), {}),
    "iris, one column": (problem_of("iris", ["petal_length"]), {}),
    "weather, ID3": (problem_of("weather_nominal"), params_of(ID3)),
    "weather, binary": (problem_of("weather_nominal"), {}),
    "weather, C4.5": (problem_of("weather_numeric"), params_of(C45)),
    "lenses, 1R": (problem_of("contact_lenses"), params_of(OneR)),
    "iris, 1R": (problem_of("iris", ["petal_length", "petal_width"]), params_of(OneR)),
    "penguins, pruned": (
        problem_of("penguins", test_size=0.3),
        params_of(CART) | {"ccp_alpha": 0.01},
    ),
    "heart, C4.5": (problem_of("heart_disease", HEART), params_of(C45) | {"confidence": 0.1}),
    "heart, CHAID": (problem_of("heart_disease", HEART), params_of(CHAID)),
    "penguins, CHAID": (
        problem_of("penguins", ["bill_length_mm", "island", "sex"]),
        params_of(CHAID),
    ),
    "heart, QUEST": (problem_of("heart_disease", HEART), params_of(QUEST)),
    "zoo, QUEST": (problem_of("zoo", ["legs", "milk", "backbone"]), params_of(QUEST)),
    "iris, QUEST": (problem_of("iris", ["petal_length", "petal_width"], 0.3), params_of(QUEST)),
    "heart, missing is a value": (
        problem_of("heart_disease", HEART),
        {"missing": "category", "max_depth": 4},
    ),
    "heart, missing has a branch": (
        problem_of("heart_disease", HEART),
        params_of(ID3) | {"missing": "category"},
    ),
    "heart, missing in 1R": (
        problem_of("heart_disease", HEART),
        params_of(OneR) | {"missing": "category", "max_depth": 2},
    ),
    "heart, C4.5, thal shown": (
        problem_of("heart_disease", HEART, view=("thal", "chest_pain")),
        params_of(C45),
    ),
}
