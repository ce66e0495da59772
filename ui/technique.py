"""What a page declares, and the run that its functions get."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dmlib.params import Param, defaults
from dmlib.problem import Problem
from dmlib.scene import Scene
from dmlib.trace import Trace
from ui.catalogue import CATALOGUE, Entry

if TYPE_CHECKING:
    import plotly.graph_objects as go


@dataclass(frozen=True)
class Run:
    """One run of an algorithm on the page: all that pictures, numbers and exports are made from.

    Attributes
    ----------
    problem : Problem
        The data that the algorithm got.
    algorithm : type
        Its class.
    params : mapping
        Its parameters, without ``random_state``.
    seed : int
        Its ``random_state``.
    trace : Trace
        Its steps.
    selected : int or None
        The sample that the reader clicked.
    restart : int or None
        The restart that the reader wants to see; None for the one that the algorithm kept.
    """

    problem: Problem
    algorithm: Any
    params: Mapping[str, Any]
    seed: int
    trace: Trace
    selected: int | None = None
    restart: int | None = None

    def estimator(self) -> Any:
        """Return the algorithm with these parameters, not yet fitted."""
        return self.algorithm(**self.params, random_state=self.seed)

    @cached_property
    def fitted(self) -> Any:
        """The algorithm, fitted to the data."""
        return self.estimator().fit(self.problem.X)


@dataclass(frozen=True)
class Plot:
    """A figure besides the stage, computed when its tab is opened."""

    title: str
    figure: Callable[[Run], go.Figure]
    help: str = ""


@dataclass(frozen=True)
class Preset:
    """Settings that show one phenomenon, and what to look for.

    ``settings`` are the names and values of a link: ``data``, ``seed``, and a method's own parameters by their names.
    """

    title: str
    look_for: str
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Placing:
    """A parameter that can be clicked: with ``option`` chosen, the points placed on the stage are its value.

    Their number is the value of ``count``; ``label`` names the tool, ``hint`` says what to do while there are none.
    """

    parameter: str
    option: str
    count: str
    label: str
    hint: str


@dataclass(frozen=True)
class Technique:
    """A page.

    Attributes
    ----------
    slug : str
        Its entry in the catalogue.
    algorithms : mapping of str to type
        The classes by the name that the reader sees; most pages have one.
    groups : mapping of str to mapping
        Headings of the controls; for each, the parameters with their labels, in order.
    scene : callable
        Run -> Scene.
    results : mapping of str to str
        Headline numbers: label -> fitted attribute.
    equivalent : callable
        Run -> Python code that fits the library's equivalent as ``reference`` to ``X``, after ``model``.
    reference : callable
        Run -> the fitted library equivalent.
    compare : tuple of str
        Fitted attributes in which the two must agree.
    presets, plots : tuple
        See there.
    start : mapping of str to str
        Data that the page opens with: ``source``, and ``data`` or ``generator``.
    max_rows : int
        More rows than this are sampled, with a note.
    limits : callable, optional
        (n_samples, n_features, params) -> a sentence that refuses the run, or an empty one.
    placing : Placing, optional
        A parameter that can be clicked.
    sources : tuple of str
        Author, year, title.
    """

    slug: str
    algorithms: Mapping[str, Any]
    groups: Mapping[str, Mapping[str, str]]
    scene: Callable[[Run], Scene]
    results: Mapping[str, str]
    equivalent: Callable[[Run], str]
    reference: Callable[[Run], Any]
    compare: tuple[str, ...]
    presets: tuple[Preset, ...] = ()
    plots: tuple[Plot, ...] = ()
    start: Mapping[str, str] = field(default_factory=lambda: {"source": "library", "data": "iris"})
    max_rows: int = 2000
    limits: Callable[[int, int, Mapping[str, Any]], str] | None = None
    placing: Placing | None = None
    sources: tuple[str, ...] = ()

    @property
    def entry(self) -> Entry:
        """Its entry in the catalogue."""
        return CATALOGUE[self.slug]

    def specs(self, method: str) -> dict[str, Param]:
        """Return the parameters of an algorithm that have a control, in order."""
        all_specs = self.algorithms[method].PARAMS
        return {name: all_specs[name] for group in self.groups.values() for name in group if name in all_specs}

    def defaults(self, method: str) -> dict[str, Any]:
        """Return the defaults of an algorithm's constructor."""
        return defaults(self.algorithms[method])
