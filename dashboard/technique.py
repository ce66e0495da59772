"""A page, as its file declares it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import is_classifier, is_regressor

from dashboard.catalogue import CATALOGUE, Entry
from dashboard.data.kind import Kind
from dashboard.data.table import Table
from dashboard.practice import Practice
from dashboard.presets import LOOK_FOR, Preset, link_of, presets
from dashboard.settings import COURSE, LAST_FRAME, LECTURE, PIN, STEP, Settings
from dashboard.tools.setting import Setting
from dashboard.tools.tool import Tool
from dmlib.comparison import Incomparable
from dmlib.datasets import Table as DataTable
from dmlib.params import Param, defaults
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import AnyRun
from dmlib.pictures.scene import Scene
from dmlib.pictures.words import Share
from dmlib.problem import transformed

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go


LASTING = frozenset({"hide", "predict", "projector", "upload", "prepared", COURSE, LECTURE})
"""Names in a link that a preset leaves alone."""


@dataclass(frozen=True)
class Plot:
    """A figure besides the stage, computed when its tab is opened.

    With ``rows``, its points have the number of their row as ``customdata``: a click on one selects
    the row.
    """

    title: str
    figure: Callable[[AnyRun], go.Figure]
    help: str = ""
    rows: bool = False


@dataclass(frozen=True)
class Sweep:
    """A figure of many runs: its tab shows how far they are, and they can be stopped.

    Attributes
    ----------
    title : str
        Its name.
    compute : callable
        (run, progress) -> data; ``progress`` is called after each task.
    plot : callable
        Data -> figure.
    n_tasks : int
        How many tasks there are.
    help : str
        What stands below the figure.
    """

    title: str
    compute: Callable[[AnyRun, Callable[[Any], None]], Any]
    plot: Callable[[Any], Any]
    n_tasks: int
    help: str = ""


@dataclass(frozen=True)
class Report:
    """A tab of texts, tables and controls; ``name`` says which of the user interface's reports."""

    title: str
    name: str


Figure = Plot | Sweep | Report


COMPARED = frozenset({"Dimension", "Clustering", "Association"})
"""Families whose techniques answer one question, beside those that predict."""
ITERATIONS = ("iteration", "epoch", "sweep")
"""What steps call the number of the iteration that they are part of."""


def _unchanged(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class Result:
    """A headline number.

    Attributes
    ----------
    attribute : str
        The attribute of the answer that has it.
    of : callable
        The attribute's value -> a number (dashboard/reductions.py).
    is_share : bool
        Whether the number is a share, from 0 to 1, or a part and its whole.
    field : str
        The field of a step that has it; by default that with the name of the attribute.
    is_sum : bool
        Whether a step has what is added up so far, and a step without the field nothing yet.
    optional : bool
        Whether it is left out where the data have none, as what needs known classes.
    """

    attribute: str
    of: Callable[[Any], Any] = _unchanged
    is_share: bool = False
    field: str = ""
    is_sum: bool = False
    optional: bool = False

    def number(self, value: Any) -> Any:
        """Return the number that is shown of the attribute's value; None where there is none."""
        if value is None or not np.size(value):
            return None
        number = self.of(value)
        return Share(*np.atleast_1d(number).tolist()) if self.is_share else number

    def at(self, step: Any) -> tuple[bool, Any]:
        """Return whether a step knows the number, and which it is there."""
        name = self.field or self.attribute.rstrip("_")
        names = ITERATIONS if name == "n_iter" else (name,)
        field = next((each for each in names if hasattr(step, each)), None)
        return field is not None, field and self.number(getattr(step, field))


@dataclass(frozen=True)
class Check:
    """How the answer is checked against a library.

    Attributes
    ----------
    reference : callable
        Run -> the :class:`dmlib.pictures.reference.Reference`. Where the library cannot repeat the
        run, :class:`dmlib.comparison.Incomparable` is raised with the reason.
    compare : tuple of str
        Fitted attributes in which the two must agree, of a page with several methods those that the
        method has; of methods such as ``predict_proba``, their values on the data.
    """

    reference: Callable[[AnyRun], Reference]
    compare: tuple[str, ...]

    def answer(self, run: AnyRun) -> Any:
        """Return what the library answers: its fitted estimator, or its functions' answers."""
        return self.reference(run).answer(run)

    def code(self, run: AnyRun) -> str:
        """Return Python code that makes the equivalent, ``reference``, after ``model``."""
        try:
            return self.reference(run).code
        except Incomparable as reason:
            return f"# Not comparable: {reason}\nreference = model\n"


def _transformed(run: AnyRun, table: DataTable) -> pd.DataFrame:
    return transformed(run.problem, table.frame, run.fitted)


def _transformed_code(run: AnyRun) -> str:
    call = "transformed(problem, table.frame, model)"
    return f"from dmlib.problem import transformed\n\nframe = {call}\n"


@dataclass(frozen=True)
class Prepared:
    """The table that a page hands on to the others, as its run prepares it.

    Attributes
    ----------
    table : callable
        Run and the table that it is about -> the whole table prepared, as a frame: with its target,
        with the columns that were not used, and with all its rows also where the run has a sample
        of them; usually by the fitted ``transform``.
    code : callable
        Run -> Python code that makes this ``frame``, after ``table``, ``problem`` and the fitted
        ``model``.
    """

    table: Callable[[AnyRun, DataTable], pd.DataFrame] = _transformed
    code: Callable[[AnyRun], str] = _transformed_code


def fitted(run: AnyRun) -> Any:
    """Return the fitted estimator of a run."""
    return run.fitted


@lru_cache(maxsize=200)
def _input_tags(algorithm: type) -> Any:
    return algorithm().__sklearn_tags__().input_tags


@dataclass(frozen=True)
class Technique:
    """A page.

    Attributes
    ----------
    slug : str
        Its entry in the catalogue, its file and its folder of content.
    methods : mapping of str to type
        The classes by the name that the reader sees; most pages have one.
    labels : mapping of str to mapping
        Headings of the controls; for each, the parameters with their labels, in order.
    scene : callable
        Run -> Scene.
    check : Check
        The comparison with a library.
    results : mapping of str to str or Result
        Headline numbers: label -> attribute of the answer.
    results_by_method : mapping of str to mapping
        The methods that have other headline numbers, and which.
    data : Kind
        What it takes.
    data_by_method : mapping of str to Kind
        The methods that take something else, and what.
    answer : callable
        Run -> the fitted estimator; on pages where a setting of the picture decides clusters too,
        what has them.
    figures : tuple of Plot, Sweep and Report
        What is below the stage.
    tools : tuple of Tool
        The gestures of its readers, and settings of its picture.
    selects : str
        What a click on the picture selects: a row of the data, or a part of the answer, by its
        number.
    prepared : Prepared, optional
        The table that can be taken along to other pages.
    opening : str
        The preset with whose settings the page opens where its link has none (docs/decisions/0023);
        empty for the defaults.
    has_results : callable
        Run -> whether the headline numbers are about what its picture shows.
    weights : tuple of str
        Fitted attributes of networks, without the underscore, that can be downloaded as JSON, as
        ``init`` takes them.
    practice : Practice, optional
        The questions that its runs answer.
    """

    slug: str
    methods: Mapping[str, Any]
    labels: Mapping[str, Mapping[str, str]]
    scene: Callable[[AnyRun], Scene]
    check: Check
    results: Mapping[str, str | Result]
    results_by_method: Mapping[str, Mapping[str, str | Result]] = field(default_factory=dict)
    data: Kind = field(default_factory=Table)
    data_by_method: Mapping[str, Kind] = field(default_factory=dict)
    answer: Callable[[AnyRun], Any] = fitted
    figures: tuple[Figure, ...] = ()
    tools: tuple[Tool, ...] = ()
    selects: str = "row"
    prepared: Prepared | None = None
    opening: str = ""
    has_results: Callable[[AnyRun], bool] = lambda run: True
    weights: tuple[str, ...] = ()
    practice: Practice | None = None

    @property
    def entry(self) -> Entry:
        """Its entry in the catalogue."""
        return CATALOGUE[self.slug]

    def headline_numbers(self, run: AnyRun) -> dict[str, Result]:
        """Return the headline numbers of a run, by label."""
        by_class = {self.methods[name]: each for name, each in self.results_by_method.items()}
        return {
            label: Result(result) if isinstance(result, str) else result
            for label, result in by_class.get(type(run.model), self.results).items()
        }

    @property
    def question(self) -> str:
        """The question that its runs answer: techniques of one question can be compared.

        Pages about data, and those that evaluate other techniques, answer one of their own.
        """
        model, family = next(iter(self.methods.values()))(), self.entry.family
        if is_regressor(model):
            return "numbers"
        if family in COMPARED:
            return family
        return "classes" if is_classifier(model) else self.slug

    def rivals(self) -> list[str]:
        """Return the pages that answer the same question about data of the same kind."""
        others = (technique_of(slug) for slug in CATALOGUE if slug != self.slug)
        return [
            other.slug
            for other in others
            if other.question == self.question
            and (isinstance(other.data, type(self.data)) or isinstance(self.data, type(other.data)))
        ]

    @property
    def presets(self) -> tuple[Preset, ...]:
        """Its presets."""
        return presets(self.slug)

    @property
    def opening_link(self) -> dict[str, list[str]]:
        """A link to that with which the page opens; empty if these are the defaults."""
        by_slug = {preset.slug: preset for preset in self.presets}
        preset = by_slug.get(self.opening)
        return link_of(self.slug, Preset("", "", preset.settings)) if preset else {}

    def with_preset(self, settings: Settings, slug: object) -> Settings:
        """Return the settings after a preset is adopted: all that it does not name has its default.

        What a browser sends is not trusted: a preset that does not exist changes nothing.
        """
        preset = next((preset for preset in self.presets if preset.slug == slug), None)
        if preset is None:
            return settings
        lasting = LASTING if self._pair_pin(settings) else LASTING | {PIN}
        texts = {name: texts for name, texts in settings.texts.items() if name in lasting}
        link = {**texts, **link_of(self.slug, preset)}
        adopted = Settings.from_query(link, self.opening_link)
        adopted = replace(adopted, jump=settings.jump, revisions=settings.revisions)
        return adopted.at_frame(int(preset.settings.get(STEP, LAST_FRAME)))

    def _pair_pin(self, settings: Settings) -> bool:
        """Return whether what is pinned is part of the preset that is on, and goes with it."""
        slug = settings.text(f"{self.slug}.{LOOK_FOR}")
        pairs = (link_of(self.slug, preset) for preset in self.presets if preset.slug == slug)
        return any(tuple(link.get(PIN, ())) == settings.get(PIN) for link in pairs)

    def kind(self, method: str) -> Kind:
        """Return the kind of data that a method takes."""
        return self.data_by_method.get(method) or self.data.of(method)

    def methods_for_tables(self, method: str) -> list[str]:
        """Return the other methods that take tables, where methods take different data."""
        return [
            name
            for name, kind in self.data_by_method.items()
            if isinstance(kind, Table) and name != method
        ]

    def _tags(self, method: str) -> Any:
        """Return what a method takes; where all take the same data, what the first takes."""
        return _input_tags(
            self.methods[method if self.data_by_method else next(iter(self.methods))]
        )

    def nominal(self, method: str) -> bool:
        """Return whether a method can use nominal columns, as its estimator's tags say."""
        tags = self._tags(method)
        return bool(tags.string or tags.categorical)

    def holes(self, method: str) -> bool:
        """Return whether it can use rows with missing values, as its estimator's tags say."""
        return self.nominal(method) and bool(self._tags(method).allow_nan)

    @property
    def settings(self) -> dict[str, Setting]:
        """The settings of its picture, by name."""
        return {tool.name: tool for tool in self.tools if isinstance(tool, Setting)}

    def specs(self, method: str) -> dict[str, Param]:
        """Return the parameters of a method that have a control, in order."""
        all_specs = self.methods[method].PARAMS
        return {
            name: all_specs[name]
            for group in self.labels.values()
            for name in group
            if name in all_specs
        }

    def defaults(self, method: str) -> dict[str, Any]:
        """Return the defaults of all parameters of a method."""
        return defaults(self.methods[method])


def technique_of(slug: str) -> Technique:
    """Return the declaration of a page, as its file has it."""
    technique: Technique = import_module(f"pages.{slug}").TECHNIQUE
    return technique
