"""The library's data and generated data, made once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from dmlib.datasets import load, make


@lru_cache(maxsize=100)
def library(name: str) -> Any:
    """Return a data set of the library; nobody changes it."""
    return load(name)


@lru_cache(maxsize=16)
def generated(name: str, seed: int, params: tuple[tuple[str, Any], ...]) -> Any:
    """Return generated data; nobody changes them."""
    return make(name, random_state=seed, **dict(params))


def load_code(variable: str, name: str) -> str:
    """Return the code that loads a data set of the library.

    Examples
    --------
    >>> load_code("table", "iris").splitlines()[-1]
    "table = load('iris')"
    """
    return f"from dmlib.datasets import load\n\n{variable} = load({name!r})\n"


def make_code(variable: str, name: str, seed: int, changed: dict[str, Any]) -> str:
    """Return the code that generates data with these parameters.

    Examples
    --------
    >>> make_code("data", "moons", 0, {"noise": 0.1}).splitlines()[-1]
    "data = make('moons', random_state=0, noise=0.1)"
    """
    arguments = "".join(f", {key}={value!r}" for key, value in changed.items())
    call = f"{variable} = make({name!r}, random_state={seed}{arguments})\n"
    return f"from dmlib.datasets import make\n\n{call}"
