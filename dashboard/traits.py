"""Needs, assumptions, costs and failures of techniques, and which of them suit a table."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from dashboard.catalogue import ASSETS, CATALOGUE, Entry
from dashboard.entrants import method_texts
from dashboard.technique import technique_of
from dmlib.datasets import LIBRARY, Table, load

Level = Literal["low", "medium", "high"]
LEVELS = get_args(Level)
LISTS = "finds", "strong", "weak"
NO_REASON = "nothing about these data speaks for or against it"
FINDS = {
    "classes": "a class",
    "number": "a number",
    "labels": "labels for the other rows",
    "groups": "groups",
    "columns": "fewer columns",
    "rules": "rules",
    "anomalies": "anomalies",
    "likeness": "distances",
    "repair": "repaired patterns",
    "scores": "how good a model is",
    "preparation": "prepared data",
}
"""Answers of techniques, and how they are called for a reader."""
WANTS = {"classes": "a class", "number": "a number", "groups": "groups", "anomalies": "anomalies"}
"""What may be asked of a table, among them."""
KINDS = {
    "Table": "table",
    "TableBaskets": "baskets",
    "SeriesPair": "series",
    "Sequences": "series",
    "Words": "texts",
    "Lines": "texts",
    "LabelledGraph": "graph",
    "PointsGraph": "graph",
    "Digits": "image",
    "Patterns": "pattern",
}
"""What kinds of data are called where their class has another name."""
SCREEN = "screen"
"""Name in a link of the data on the screen, which stay in the session."""
TAKEN = {"names": "nominal", "missing": "holes"}
"""Rules on what a technique takes at all, and the trait that says so."""
N_BEST = 5  # techniques that are named for a table
FENCE = 3.0  # interquartile ranges beyond the quartiles, from which on a value is far outside


@dataclass(frozen=True)
class Traits:
    """Facts about a technique that decide whether it is chosen.

    Attributes
    ----------
    slug : str
        Its page.
    finds : tuple of str
        Some of ``FINDS``.
    scaling : bool
        Whether the scales of the columns matter.
    cost, readable : {"low", "medium", "high"}
        How much work it is, and how well its result can be read.
    runtime, fails : str
        A sentence each: on its work, and on when it fails.
    strong, weak : tuple of str
        Names of rules in assets/advice.toml: what it copes with, and what it suffers from;
        ``TAKEN`` are asked of the technique itself.
    parametric : bool or None
        Whether it estimates a fixed number of parameters; None where that is no question.
    """

    slug: str
    finds: tuple[str, ...]
    scaling: bool
    cost: Level
    readable: Level
    runtime: str
    fails: str
    strong: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    parametric: bool | None = None
    assumption: str = field(default="", repr=False)

    @property
    def entry(self) -> Entry:
        """Its page in the catalogue."""
        return CATALOGUE[self.slug]

    @property
    def data(self) -> str:
        """The kind of data that its page takes."""
        name = type(technique_of(self.slug).data).__name__
        return KINDS.get(name, name.lower())

    @property
    def nominal(self) -> bool:
        """Whether one of its methods takes nominal columns."""
        page = technique_of(self.slug)
        return any(map(page.nominal, page.methods))

    @property
    def holes(self) -> bool:
        """Whether one of its methods takes missing values."""
        page = technique_of(self.slug)
        return any(map(page.holes, page.methods))

    @property
    def assumes(self) -> str:
        """The sentence on what it takes for granted: of its first method, or of its own."""
        algorithm = next(iter(technique_of(self.slug).methods.values()))
        return self.assumption or method_texts()[algorithm.__name__]["assumes"]


@dataclass(frozen=True)
class Rule:
    """One thing that may be special about a table.

    Attributes
    ----------
    name, measure : str
        Its name in ``Traits.strong`` and ``Traits.weak``, and the measure that decides.
    fact, strong, weak : str
        What is said of the table, and of techniques.
    above, below : float or None
        Where the measure is special.
    """

    name: str
    measure: str
    fact: str
    strong: str
    weak: str
    above: float | None = None
    below: float | None = None

    def applies(self, measures: Mapping[str, float]) -> bool:
        """Return whether the measures are special in this respect."""
        value = measures[self.measure]
        is_above = self.above is not None and value > self.above
        return is_above or (self.below is not None and value < self.below)


@dataclass(frozen=True)
class Advice:
    """How well a technique suits a table: a score, 0 where nothing speaks for or against it."""

    traits: Traits
    score: int
    reason: str


@lru_cache(maxsize=1)
def all_traits() -> Mapping[str, Traits]:
    """Return the traits of all techniques by slug, in the order of the catalogue."""
    texts = tomllib.loads((ASSETS / "traits.toml").read_text("utf-8"))
    return {slug: _traits(slug, texts[slug]) for slug in CATALOGUE if slug in texts}


def _traits(slug: str, values: Mapping[str, Any]) -> Traits:
    texts = {"assumption" if name == "assumes" else name: value for name, value in values.items()}
    lists: dict[str, Any] = {name: tuple(values.get(name, ())) for name in LISTS}
    return Traits(slug, **{**texts, **lists})


@lru_cache(maxsize=1)
def rules() -> tuple[Rule, ...]:
    """Return what may be special about a table, the most important first."""
    texts = tomllib.loads((ASSETS / "advice.toml").read_text("utf-8"))
    return tuple(Rule(name, **values) for name, values in texts.items())


FILTERS: Mapping[str, Callable[[Traits], bool]] = {
    "Takes nominal columns": lambda traits: traits.nominal,
    "Takes missing values": lambda traits: traits.holes,
    "Units do not matter": lambda traits: not traits.scaling,
    "Easy to read": lambda traits: traits.readable == "high",
    "Little work": lambda traits: traits.cost == "low",
} | {
    f"Copes with {rule.name.replace('_', ' ')}": lambda traits, name=rule.name: (
        name in traits.strong
    )
    for rule in rules()
    if rule.name not in TAKEN
}
"""What may be asked of a technique, by its name for a reader."""


def listed(names: Sequence[str]) -> str:
    """Return names of rules for a reader."""
    return ", ".join(name.replace("_", " ") for name in names)


def target_of(table: Table) -> str:
    """Return what a table asks for at first: classes, a number or groups."""
    if table.target is None:
        return "groups"
    return "number" if table.kinds[table.target] == "numeric" else "classes"


def measures_of(table: Table, finds: str) -> dict[str, float]:
    """Return what rules look at, of the columns that a technique would be given."""
    target = table.target if finds in ("classes", "number") else None
    kinds = {name: kind for name, kind in table.kinds.items() if name != target}
    numeric = [name for name, kind in kinds.items() if kind == "numeric"]
    nominal = [name for name, kind in kinds.items() if kind in ("nominal", "ordinal")]
    frame = table.frame[numeric + nominal]
    n_rows, n_columns = frame.shape
    return {
        "rows": n_rows,
        "columns": n_columns,
        "numeric": len(numeric),
        "nominal": len(nominal),
        "missing": float(frame.isna().to_numpy().mean()) if frame.size else 0.0,
        "rarest": _rarest(table) if finds == "classes" else 1.0,
        "columns_per_row": n_columns / max(n_rows, 1),
        "outliers": _outliers(table.frame[numeric]),
    }


def _rarest(table: Table) -> float:
    """Return the share of the rarest class; 1 where there are no classes."""
    if target_of(table) != "classes":
        return 1.0
    shares = table.frame[table.target].value_counts(normalize=True)
    return float(shares[shares > 0].min()) if len(shares) else 1.0


def _outliers(frame: pd.DataFrame) -> float:
    """Return the share of rows with a value far beyond the quartiles of its column."""
    if not frame.size:
        return 0.0
    low, high = frame.quantile(0.25), frame.quantile(0.75)
    reach = FENCE * (high - low)
    is_far = (frame < low - reach) | (frame > high + reach)
    return float(np.mean(is_far.any(axis=1)))


def advice(table: Table, finds: str) -> list[Advice]:
    """Return the techniques that find this in a table, those that suit it best first."""
    measures = measures_of(table, finds)
    special = [rule for rule in rules() if rule.applies(measures)]
    rows = [
        _judged(traits, special, measures)
        for traits in all_traits().values()
        if finds in traits.finds and traits.data == "table"
        if measures["rows"] and (measures["numeric"] or measures["nominal"] * traits.nominal)
    ]
    return sorted(rows, key=_rank)


def best(rows: Sequence[Advice]) -> Sequence[Advice]:
    """Return the first of some advice, as far as more speaks for a technique than against it."""
    return [row for row in rows if row.score >= 0][:N_BEST] or rows[:1]


@dataclass(frozen=True)
class TableAdvice:
    """The first question of a table of the library, and the best techniques for each question."""

    name: str
    title: str
    target: str
    suited: Mapping[str, Sequence[Advice]]


def library_advice() -> list[TableAdvice]:
    """Return advice for every table of the library."""
    rows = []
    for name, entry in LIBRARY.items():
        table = load(name) if entry.kind == "table" else None
        if isinstance(table, Table):
            suited = {want: best(advice(table, want)) for want in WANTS}
            rows.append(TableAdvice(name, entry.title, target_of(table), suited))
    return rows


def _rank(row: Advice) -> tuple[int, int, int]:
    """Return the place of a technique; of equal ones the readable and the cheap come first."""
    return -row.score, -LEVELS.index(row.traits.readable), LEVELS.index(row.traits.cost)


def _judged(traits: Traits, special: list[Rule], measures: Mapping[str, float]) -> Advice:
    """Return the score of a technique, with the first reason for it and the first against it."""
    signs = {rule: sign for rule in special if (sign := _sign(traits, rule.name))}
    strong = next((rule for rule, sign in signs.items() if sign > 0), None)
    weak = next((rule for rule, sign in signs.items() if sign < 0), None)
    reasons = [_fact(rule, measures) + f", and {rule.strong}" for rule in (strong,) if rule]
    reasons += [_fact(rule, measures) + f", but {rule.weak}" for rule in (weak,) if rule]
    reason = "; ".join(reasons) or NO_REASON
    return Advice(traits, sum(signs.values()), f"{reason[0].upper()}{reason[1:]}.")


def _fact(rule: Rule, measures: Mapping[str, float]) -> str:
    return rule.fact.format(**measures).replace("%", " %")


def _sign(traits: Traits, name: str) -> int:
    """Return 1 where a technique is strong, −1 where it is weak, 0 where neither is known."""
    if name in TAKEN:
        return 1 if getattr(traits, TAKEN[name]) else -1
    return (name in traits.strong) - (name in traits.weak)
