"""The positions of a slider."""

from __future__ import annotations

import math
from typing import Any

from dmlib.params import Integer, Number

POSITIONS = 200  # of a slider
POSITIONS_PER_DECADE = 20  # of a slider that multiplies, at least
EIGHT_DECADES = 1e8  # below the top of a slider that multiplies and begins at 0


def positions(spec: Integer | Number, *values: Any) -> list[Any]:
    """Return about 200 positions of a slider, ``values`` among them: names first, infinity last.

    None is the last of whole numbers ("no limit"), and the first of others ("none").

    Examples
    --------
    >>> positions(Integer(1, 5))
    [1, 2, 3, 4, 5]
    >>> positions(Number(0.0, 1.0, shown=(0.0, 0.01, 0.3)), 0.5)
    [0.0, 0.01, 0.3, 0.5]
    >>> spec = Number(0.0, float("inf"), shown=(0.1, 10.0), log=True, names=("auto",))
    >>> places = positions(spec, 1.0)
    >>> places[0], places[1], places[-2], places[-1], len(places) > 40
    ('auto', 0.1, 10.0, inf, True)
    """
    low, *between, high = spec.shown or (spec.low, spec.high)
    extra = {value for value in values if isinstance(value, int | float) and math.isfinite(value)}
    if isinstance(spec, Integer):
        step = max(1, math.ceil((high - low) / (2 * POSITIONS)))
        numbers = between or range(int(low), int(high), step)
        unlimited = [None] if spec.none else []
        return [*spec.names, *sorted({int(low), *numbers, int(high), *map(int, extra)}), *unlimited]
    spaced = _multiplied(low, high) if spec.log else _added(low, high, spec.step)
    places = {low, *between, high} if between else spaced
    infinite = [spec.high] if spec.log and math.isinf(spec.high) else []
    return [*([None] if spec.none else []), *spec.names, *sorted(places | extra), *infinite]


def _added(low: float, high: float, step: float | None) -> set[float]:
    """Return evenly spaced numbers with few digits."""
    step = max(step or 0.0, _round((high - low) / POSITIONS)) or 1.0
    digits = max(0, 1 - math.floor(math.log10(step)))
    rounded = {round(low + i * step, digits) for i in range(int((high - low) / step + 1e-9) + 1)}
    return {min(max(place, low), high) for place in rounded} | {high}


def _round(step: float) -> float:
    """Return 1, 2 or 5 times a power of ten, not below a step."""
    power = 10.0 ** math.floor(math.log10(step)) if step > 0 else 1.0
    return next(digit * power for digit in (1, 2, 5, 10) if digit * power >= step * (1 - 1e-9))


def _multiplied(low: float, high: float) -> set[float]:
    """Return numbers of three digits whose ratios are even."""
    smallest = low or high / EIGHT_DECADES
    decades = math.log10(high / smallest)
    n = max(POSITIONS, round(POSITIONS_PER_DECADE * decades))
    return {float(f"{smallest * 10 ** (decades * i / n):.3g}") for i in range(n + 1)} | {low, high}


def labelled_positions(spec: Integer | Number, *values: Any) -> list[list[str]]:
    """Return what links and readers see of each position of a slider.

    Examples
    --------
    >>> labelled_positions(Integer(1, 3))
    [['1', '1'], ['2', '2'], ['3', '3']]
    """
    return [[str(place), _label(place, spec)] for place in positions(spec, *values)]


def _label(value: Any, spec: Integer | Number) -> str:
    if value is None:
        return spec.none
    return value if isinstance(value, str) else "∞" if math.isinf(value) else f"{value:.6g}"
