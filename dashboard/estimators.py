"""Estimators from their parameters."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from typing import Any


def new(algorithm: Any, params: Mapping[str, Any], seed: int) -> Any:
    """Return an algorithm with these parameters, and the seed if it draws random numbers."""
    return algorithm(**params, **({"random_state": seed} if draws(algorithm) else {}))


def draws(algorithm: Any) -> bool:
    """Return whether an algorithm draws random numbers."""
    return "random_state" in signature(algorithm).parameters
