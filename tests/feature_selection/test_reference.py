"""References of feature selection: libraries select the same columns, or it is said why not."""

import pytest

from dmlib.comparison import Incomparable, compare
from dmlib.feature_selection import (
    L0SVM,
    CoverageSelector,
    FilterSelector,
    ProbeSelector,
    RegressorSearch,
    SubsetSearch,
    WrapperSearch,
)
from dmlib.feature_selection.reference import feature_selection_reference
from tests.feature_selection.problems import TEN, cars, iris

COMPARED = ("correlation", "chi2", "mutual_information", "variance", "entropy", "density")


@pytest.mark.parametrize(
    "run",
    [
        cars(SubsetSearch(search="backward", scoring="bic"), TEN),
        cars(SubsetSearch(scoring="cv", cv=4, random_state=0), TEN),
        cars(ProbeSelector(max_share=0.4, random_state=2), TEN),
        cars(CoverageSelector(threshold=0.6), TEN),
        iris(WrapperSearch(n_features_to_select=2, random_state=0)),
        iris(WrapperSearch(classifier="decision_tree", n_features_to_select=2, random_state=0)),
        iris(
            WrapperSearch(
                classifier="lda_classifier",
                search="backward",
                n_features_to_select=1,
                random_state=0,
            )
        ),
        cars(RegressorSearch(n_features_to_select=3, random_state=0), TEN),
        cars(
            RegressorSearch(
                regressor="ridge", search="backward", cv=8, n_features_to_select=2, random_state=0
            )
        ),
        iris(L0SVM(C=0.05)),
        *(cars(FilterSelector(score_func=method), TEN) for method in COMPARED),
        *(iris(FilterSelector(score_func=method, k=2)) for method in COMPARED),
    ],
    ids=lambda run: type(run.model).__name__,
)
def test_references_agree(run):
    training = run.problem.training
    answer = feature_selection_reference(run).answer(run)
    (result,) = compare(run.fitted, answer, ("support_",), training.data, training.y)
    assert result.agrees


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (SubsetSearch(search="best"), "no best-subset search"),
        (FilterSelector(score_func="hsic"), "no library"),
        (SubsetSearch(scoring="cv", random_state=0), "different sizes"),
    ],
)
def test_what_no_library_has_is_said(model, reason):
    with pytest.raises(Incomparable, match=reason):
        feature_selection_reference(cars(model))
