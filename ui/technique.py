"""What a page declares."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dmlib.cached import cached_property
from dmlib.comparison import Incomparable
from dmlib.datasets import Table as DataTable
from dmlib.params import Param, defaults
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Scene
from dmlib.problem import transformed
from ui.catalogue import CATALOGUE, Entry
from ui.data.kind import Kind
from ui.data.table import Table
from ui.presets import Preset, presets
from ui.tools.setting import Setting
from ui.tools.tool import Tool

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go


@dataclass(frozen=True)
class Plot:
    """A figure besides the stage, computed when its tab is opened.

    With ``rows``, its points have the number of their row as ``customdata``: a click on one selects
    the row.
    """

    title: str
    figure: Callable[[Run], go.Figure]
    help: str = ""
    rows: bool = False


@dataclass(frozen=True)
class Report:
    """What is told of a run besides the figures: ``show`` puts it on the page when its tab is opened.

    What shows how far it is and can be ``stopped`` may take longer.
    """

    title: str
    show: Callable[[Run], None]
    stopped: bool = False


@dataclass(frozen=True)
class Check:
    """How the answer is checked against a library.

    Attributes
    ----------
    reference : callable
        Run -> the :class:`dmlib.pictures.reference.Reference`. Where the library cannot repeat the
        run,
        :class:`dmlib.comparison.Incomparable` is raised with the reason.
    compare : tuple of str
        Fitted attributes in which the two must agree, of a page with several methods those that the
        method has; of methods such as ``predict_proba``, their values on the data.
    """

    reference: Callable[[Run], Any]
    compare: tuple[str, ...]
    source: Callable[[Run], str] | None = None

    def answer(self, run: Run) -> Any:
        """Return what the library answers: its fitted estimator, or its functions' answers."""
        reference = self.reference(run)
        return reference.answer(run) if isinstance(reference, Reference) else reference

    def code(self, run: Run) -> str:
        """Return Python code that fits the equivalent as ``reference`` to ``X``, after ``model``."""
        if self.source is not None:
            return self.source(run)
        try:
            code: str = self.reference(run).code
        except Incomparable as reason:
            return f"# Not comparable: {reason}\nreference = model\n"
        return code


def _transformed(run: Run, table: DataTable) -> pd.DataFrame:
    return transformed(run.problem, table.frame, run.fitted)


def _transformed_code(run: Run) -> str:
    return (
        "from dmlib.problem import transformed\n\nframe = transformed(problem, table.frame,"
        " model)\n"
    )


@dataclass(frozen=True)
class Prepared:
    """The table that a page hands on to the others, prepared as its run says; usually by the fitted ``transform``.

    Attributes
    ----------
    table : callable
        Run and the table that it is about -> the whole table prepared, as a frame: with its target,
        with the columns that were not used, and with all its rows also where the run has a sample
        of them.
    code : callable
        Run -> Python code that makes this ``frame``, after ``table``, ``problem`` and the fitted
        ``model``.
    """

    table: Callable[[Run, DataTable], pd.DataFrame] = _transformed
    code: Callable[[Run], str] = _transformed_code


def fitted(run: Run) -> Any:
    """Return the fitted estimator of a run."""
    return run.fitted


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
    results : mapping of str to str
        Headline numbers: label -> attribute of the answer.
    data : Kind
        What it takes.
    answer : callable
        Run -> the fitted estimator; on pages where a setting of the picture decides clusters too,
        what has them.
    figures : tuple of Plot and Report
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
    weights : tuple of str
        Fitted attributes of networks, without the underscore, that can be downloaded as JSON, as
        ``init`` takes them.
    """

    slug: str
    methods: Mapping[str, Any]
    labels: Mapping[str, Mapping[str, str]]
    scene: Callable[[Run], Scene]
    check: Check
    results: Mapping[str, str]
    data: Kind = field(default_factory=Table)
    answer: Callable[[Run], Any] = fitted
    figures: tuple[Plot | Report, ...] = ()
    tools: tuple[Tool, ...] = ()
    selects: str = "row"
    prepared: Prepared | None = None
    opening: str = ""
    weights: tuple[str, ...] = ()

    @property
    def entry(self) -> Entry:
        """Its entry in the catalogue."""
        return CATALOGUE[self.slug]

    @property
    def presets(self) -> tuple[Preset, ...]:
        """Its presets."""
        return presets(self.slug)

    @cached_property
    def _takes(self) -> Any:
        return next(iter(self.methods.values()))().__sklearn_tags__().input_tags

    @property
    def nominal(self) -> bool:
        """Whether it can use nominal columns, as its estimator's tags say."""
        return bool(self._takes.string or self._takes.categorical)

    @property
    def holes(self) -> bool:
        """Whether it can use rows with missing values, as its estimator's tags say."""
        return self.nominal and bool(self._takes.allow_nan)

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
        """Return the defaults of a method's constructor."""
        return defaults(self.methods[method])
