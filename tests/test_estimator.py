"""Interfaces of estimators and problems, and the classes that offer them."""

import inspect
from importlib import import_module
from pathlib import Path

import pytest

import dmlib
import dmlib.problem.sequences
from dmlib import estimator
from dmlib.estimator import Estimator, SupportsCuts, SupportsShortening
from dmlib.problem import AnyProblem
from dmlib.problem.undivided import Undivided

FAMILIES = sorted(path.parent.name for path in Path(dmlib.__path__[0]).glob("*/__init__.pyi"))
PACKAGES = [import_module(f"dmlib.{family}") for family in FAMILIES]
EXPORTS = [getattr(package, name) for package in PACKAGES for name in package.__all__]
ALGORITHMS = [each for each in EXPORTS if inspect.isclass(each) and hasattr(each, "steps")]


def members(interface):
    """The names that a class must have to offer an interface."""
    return {
        name
        for base in interface.__mro__
        if base.__module__ == interface.__module__
        for name in (*vars(base), *vars(base).get("__annotations__", ()))
        if not name.startswith("_")
    }


OPTIONAL = [
    interface
    for name, interface in inspect.getmembers(estimator, inspect.isclass)
    if name.startswith(("Has", "Supports"))
    and not any(member.endswith("_") for member in members(interface))  # once it is fitted
]


@pytest.mark.parametrize("interface", OPTIONAL)
def test_each_optional_interface_is_offered(interface):
    offering = [algorithm for algorithm in ALGORITHMS if isinstance(algorithm(), interface)]
    assert offering or interface is SupportsCuts  # of the trees in an estimator
    for algorithm in offering:
        assert members(interface) <= {*dir(algorithm())}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_is_an_estimator(algorithm):
    assert members(Estimator) <= {*dir(algorithm)}
    assert {*algorithm.PARAMS} <= {*inspect.signature(algorithm).parameters}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_constants_have_the_signature_that_the_interface_says(algorithm):
    if isinstance(algorithm, SupportsShortening):
        assert algorithm.LENGTH in algorithm.PARAMS


@pytest.mark.parametrize("kind", [dmlib.problem.Problem, *Undivided.__subclasses__()])
def test_every_problem_offers_what_all_do(kind):
    assert members(AnyProblem) <= {*dir(kind), *kind.__dataclass_fields__}
