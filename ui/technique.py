"""What a page declares, and the run that its functions get."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from inspect import signature
from time import thread_time
from typing import TYPE_CHECKING, Any, Literal

from dmlib.params import Param, defaults
from dmlib.problem import Problem, Query
from dmlib.scene import Raster, Scene
from dmlib.scenes.regions import DRAFT, FINE, surface
from dmlib.trace import Trace
from ui.catalogue import CATALOGUE, Entry

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from dmlib.datasets import Table

LONGEST = 1.2  # seconds that a fine image of the plane may take
SPENT = "seconds of the image"


@dataclass(frozen=True)
class Run:
    """One run of an algorithm on the page: all that pictures, numbers and exports are made from.

    Attributes
    ----------
    problem : Problem
        The data, those that are held out included.
    algorithm : type
        Its class.
    params : mapping
        Its parameters, without ``random_state``.
    seed : int
        Its ``random_state``, if it has one.
    trace : Trace
        Its steps.
    selected : int or None
        The sample that the reader clicked.
    restart : int or None
        The restart that the reader wants to see; None for the one that the algorithm kept.
    options : mapping
        The values of the page's options, which concern the picture and not the algorithm.
    query : Query or None
        The place or sample that is asked about, on pages that have one.
    size : int
        Width and height in pixels of an image of the plane: few while controls move, more at rest.
    made : dict
        What :meth:`once` has made.
    table : Table or None
        The whole table that the problem was made from.
    table_code : str
        Python that makes ``table``.
    """

    problem: Problem
    algorithm: Any
    params: Mapping[str, Any]
    seed: int
    trace: Trace
    selected: int | None = None
    restart: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    query: Query | None = None
    size: int = DRAFT
    made: dict[str, Any] = field(default_factory=dict)
    table: Table | None = None
    table_code: str = ""

    def estimator(self) -> Any:
        """Return the algorithm with these parameters, not yet fitted."""
        return new(self.algorithm, self.params, self.seed)

    @cached_property
    def fitted(self) -> Any:
        """The algorithm, fitted to the samples that are learned from."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # the last step says the same as a sentence
            return self.estimator().fit(self.problem.training.data, self.problem.training.y)

    @cached_property
    def surface(self) -> Raster:
        """The decision regions of the fitted classifier over the plane, as an image."""
        model, start = self.fitted, thread_time()
        image = surface(self.problem, model, self.size)
        self.made[SPENT] = thread_time() - start
        return image

    @property
    def can_be_finer(self) -> bool:
        """Whether the image of the plane is a draft, and a fine one would be drawn soon enough."""
        more = (FINE / DRAFT) ** 2
        return self.size == DRAFT and more * float(self.made.get(SPENT, 0.0)) < LONGEST

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """Return what ``make`` returns, made once for this algorithm on these data, whatever is asked of it."""
        if name not in self.made:
            self.made[name] = make()
        return self.made[name]

    def take_over(self, other: Run) -> None:
        """Keep what another run of the same algorithm on the same data has computed, as far as it is the same here."""
        done = vars(other)
        if "fitted" in done:
            vars(self)["fitted"] = done["fitted"]
        self.made.update(other.made)
        same_plane = self.problem.plane.same(other.problem.plane) and other.problem.window == self.problem.window
        if "surface" in done and other.size == self.size and same_plane:
            vars(self)["surface"] = done["surface"]


def new(algorithm: Any, params: Mapping[str, Any], seed: int) -> Any:
    """Return an algorithm with these parameters, and the seed if it draws random numbers."""
    return algorithm(**params, **({"random_state": seed} if draws(algorithm) else {}))


def draws(algorithm: Any) -> bool:
    """Return whether an algorithm draws random numbers."""
    return "random_state" in signature(algorithm).parameters


@dataclass(frozen=True)
class Plot:
    """A figure besides the stage, computed when its tab is opened.

    With ``rows``, its points have the number of their row as ``customdata``: a click on one selects the row.
    """

    title: str
    figure: Callable[[Run], go.Figure]
    help: str = ""
    rows: bool = False


@dataclass(frozen=True)
class Report:
    """What is told of a run besides the figures: ``show`` puts it on the page when its tab is opened."""

    title: str
    show: Callable[[Run], None]


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
class ColumnChoice:
    """A parameter that is the number of a numeric column, from 1: the reader chooses the column by its name.

    There is such a choice while ``model`` has the value ``option``, or always without a ``model``; the parameters
    ``idle`` mean nothing then, and have no controls. ``label`` is for the reader. With ``nominal``, columns of names
    can be chosen too.
    """

    parameter: str
    label: str
    model: str = ""
    option: str = ""
    idle: tuple[str, ...] = ()
    nominal: bool = False


@dataclass(frozen=True)
class Option:
    """A control that concerns the picture and not the algorithm: what is shown, where a tree is cut.

    ``label`` and ``help`` are for the reader; ``spec`` and ``default`` are as those of a parameter; ``names`` says what
    the reader sees of the options of a choice; ``methods`` are those that have it, by default all.
    """

    label: str
    spec: Param
    default: Any
    help: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    methods: tuple[str, ...] = ()


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
        Fitted attributes in which the two must agree; of methods such as ``predict_proba``, their values on the data.
    presets, plots, reports : tuple
        See there.
    start : mapping of str to str
        Data that the page opens with: ``source``, and ``data`` or ``generator``; ``test`` for the share held out.
    labelled : bool
        Whether the technique learns known classes.
    binary : bool
        Whether it tells one class from all others.
    plane : bool
        Whether the data are drawn in a plane: then its view can be chosen, and points can be drawn.
    query : {"none", "asked", "always"}
        Whether a place or row can be asked about by clicking it, and whether one is asked about from the start.
    options : mapping of str to Option
        Controls that concern the picture, by name.
    handles : mapping of str to str
        Parameters and options that can be dragged on the picture: name of the handle -> name of what it sets.
    weighs_columns : bool
        Whether the scaling of the columns decides so much that its control is always in view.
    whole_table : bool
        Whether it uses all columns at first (of a wide table, the first of them), not those for a first look.
    max_rows : int
        More rows than this are sampled, with a note.
    limits : callable, optional
        (n_samples, n_features, params) -> a sentence that refuses the run, or an empty one.
    placing : Placing, optional
        A parameter that can be clicked.
    column : ColumnChoice, optional
        A parameter that is the number of a column.
    positive : str
        A parameter that is the number of a class, from 1, or 0 for the last: the reader chooses the class by its name.
    model : str
        A parameter that is a classifier of another page by its name, or one with settings of its own.
    splits : str
        A parameter that prescribes the splits of a tree: while the option ``build`` is on, the reader chooses them, and
        the run's option ``draft`` is the path of the node whose split is being tried.
    labels : callable, optional
        Run -> the cluster of each row in the picture, where options decide it and not only the algorithm.
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
    reports: tuple[Report, ...] = ()
    start: Mapping[str, str] = field(default_factory=lambda: {"source": "library", "data": "iris"})
    labelled: bool = False
    binary: bool = False
    plane: bool = True
    query: Literal["none", "asked", "always"] = "none"
    options: Mapping[str, Option] = field(default_factory=dict)
    handles: Mapping[str, str] = field(default_factory=dict)
    weighs_columns: bool = False
    whole_table: bool = False
    max_rows: int = 2000
    limits: Callable[[int, int, Mapping[str, Any]], str] | None = None
    placing: Placing | None = None
    column: ColumnChoice | None = None
    positive: str = ""
    model: str = ""
    splits: str = ""
    labels: Callable[[Run], Any] | None = None
    sources: tuple[str, ...] = ()

    @property
    def entry(self) -> Entry:
        """Its entry in the catalogue."""
        return CATALOGUE[self.slug]

    @property
    def nominal(self) -> bool:
        """Whether it can use nominal columns."""
        return self.entry.nominal

    @property
    def holes(self) -> bool:
        """Whether it can use rows with missing values."""
        return self.entry.nominal and not self.entry.whole

    def specs(self, method: str) -> dict[str, Param]:
        """Return the parameters of an algorithm that have a control, in order."""
        all_specs = self.algorithms[method].PARAMS
        return {name: all_specs[name] for group in self.groups.values() for name in group if name in all_specs}

    def defaults(self, method: str) -> dict[str, Any]:
        """Return the defaults of an algorithm's constructor."""
        return defaults(self.algorithms[method])

    def options_of(self, method: str) -> dict[str, Option]:
        """Return the options of an algorithm's picture, in order."""
        return {name: option for name, option in self.options.items() if not option.methods or method in option.methods}
