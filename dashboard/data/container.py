"""Shared parts of the kinds of data that are no table: their sources, and exported code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import pandas as pd

from dashboard.data.fields import Field
from dashboard.data.kind import Chosen
from dashboard.data.library import generated, library, load_code, make_code
from dashboard.form import Form
from dashboard.runs import READING, answering
from dashboard.settings import Settings
from dmlib.datasets import LIBRARY, generators
from dmlib.datasets.catalogue import DataKind
from dmlib.params import Choice, Number, defaults
from dmlib.pictures.data import first_scene
from dmlib.pictures.plane import empty_scene
from dmlib.pictures.scene import Scene
from dmlib.spreadsheet import to_csv
from dmlib.trace import OutOfTime

if TYPE_CHECKING:
    from dashboard.technique import Technique

DATA, COLUMNS = ("data",), ("data", "columns")
"""Parts of the page that controls of data belong to."""
TEST = Number(0.0, 0.9, shown=(0.0, 0.5), step=0.05)
SOURCES = {"library": "Library", "generator": "Generate", "draw": "Draw", "upload": "File"}
Limits = Callable[[Any, Mapping[str, Any]], str]


@dataclass(frozen=True)
class Container:
    """Data of one kind, as a page declares them.

    Parameters
    ----------
    start : mapping of str to str
        Data that the page opens with: ``source``, and ``data`` or ``generator``.
    limits : callable, optional
        (problem, params) -> a sentence that refuses the run, or an empty one.
    """

    start: Mapping[str, str] = field(default_factory=dict)
    limits: Limits | None = None

    kind: ClassVar[DataKind]
    accepts: ClassVar[tuple[str, ...]] = ()
    """Endings of the files that can be read; empty where none can."""
    content: ClassVar[str] = ""
    """What such a file holds, for people."""
    advice: ClassVar[str]
    """What to choose where a run costs too much: a sentence."""
    plane: ClassVar[bool] = False
    labelled: ClassVar[bool] = False
    reader: ClassVar[str] = ""
    """Name of the function of ``dmlib.datasets`` that reads a file, here and in the exported
    code."""

    # --- what a kind says for itself ------------------------------------------------------------

    def prepare(self, data: Any, form: Form) -> tuple[Any, str]:
        """Return the problem, and the code that makes ``X`` of ``data``."""
        raise NotImplementedError

    def decided(self, form: Form, file_id: str) -> Mapping[str, Any]:
        """Let the reader decide how a file is read; return further arguments of its reader."""
        return {}

    def from_hand(self, form: Form) -> tuple[Any, str]:
        """Return what the reader made by hand, and the code that makes it."""
        raise NotImplementedError

    def offers(self, chosen: Chosen, settings: Settings) -> Mapping[str, Any]:
        """Return what the stage needs for making data by hand."""
        return {}

    def fields(self, chosen: Chosen) -> Sequence[Field]:
        """Return what a phone fills in to give one row of such data; nothing where it cannot."""
        return ()

    def change(self, settings: Settings, message: Mapping[str, Any]) -> Settings | None:
        """Return the settings after data were made by hand on the stage."""
        return None

    # --- what all have in common ----------------------------------------------------------------

    def of(self, method: str) -> Container:
        """Return what a method takes: all methods of such a page take the same."""
        return self

    @property
    def has_decisions(self) -> bool:
        """Whether the reader can decide how a file is read."""
        return type(self).decided is not Container.decided

    def with_file(self, settings: Settings) -> tuple[str, Settings]:
        """Return the reader of a file that is dropped, and the settings that show it.

        The name of the reader is empty where files are not taken.
        """
        return self.reader, settings.with_text("source", "upload")

    @property
    def sources(self) -> dict[str, str]:
        """Where data of this kind can come from."""
        is_available = {
            "library": True,
            "generator": bool(generators(self.kind)),
            "draw": type(self).from_hand is not Container.from_hand,
            "upload": bool(self.accepts),
        }
        return {name: label for name, label in SOURCES.items() if is_available[name]}

    def choose(self, technique: Technique, method: str, form: Form) -> Chosen:
        """Show what can be chosen; return what was chosen, ready for a technique."""
        return self.choose_from(technique, method, form, self.choose_source(form))

    def choose_source(self, form: Form) -> str:
        """Let the reader choose where the data come from."""
        spec = Choice(tuple(self.sources))
        usual = self.start.get("source", "library")
        source: str = form.control(
            "source", spec, usual, label="Source", names=self.sources, parts=DATA
        )
        return source

    def choose_from(self, technique: Technique, method: str, form: Form, source: str) -> Chosen:
        """Let the reader choose the data of a source, ready for a technique."""
        try:
            with answering("Making these data ready", self.advice, READING):
                data, code = self.from_source(source, form)
                problem, preparing = self.prepare(data, form)
        except (ValueError, OutOfTime) as error:
            return Chosen(self, None, None, str(error), source)
        caption = first_scene(problem).frames[0].caption.rstrip(".").split(", ")[0]
        summary = f"{data.title or data.name} · {caption}"
        return Chosen(self, data, problem, "", source, f"{code}\n{preparing}", code, summary)

    def from_source(self, source: str, form: Form) -> tuple[Any, str]:
        """Return the data of one of the sources, and the code that makes them."""
        make = {
            "library": self._library,
            "generator": self._generated,
            "draw": self.from_hand,
            "upload": self._from_file,
        }
        return make[source](form)

    def refusal(self, problem: Any, params: Mapping[str, Any]) -> str:
        """Return a sentence that refuses the run before it begins, or nothing."""
        return self.limits(problem, params) if self.limits else ""

    def picture(self, problem: Any, caption: str) -> Scene:
        """Return the data alone, with a sentence of the page's."""
        if problem is None:
            return empty_scene(caption)
        scene = first_scene(problem)
        return Scene(scene.panels, scene.marks, (type(scene.frames[0])(caption),), scene.notes)

    def listing(self, problem: Any) -> pd.DataFrame:
        """Return what the algorithm gets, one row for each basket, node, text ..."""
        if problem is None:
            return pd.DataFrame()
        return pd.DataFrame(
            {self.kind: problem.labels}, index=pd.Index(problem.rows + 1, name="number")
        )

    def csv(self, data: Any) -> str:
        """Return the data as CSV: what the algorithm gets, in words."""
        return to_csv(self.listing(self.prepare(data, Form(Settings()))[0]))

    def names(self) -> tuple[str, ...]:
        """Return the names of the library's data of this kind."""
        return tuple(name for name, entry in LIBRARY.items() if entry.kind == self.kind)

    def _library(self, form: Form) -> tuple[Any, str]:
        names = self.names()
        name = choose_from_library(form, names, self.start.get("data", names[0]))
        return library(name), load_code("data", name)

    def _generated(self, form: Form) -> tuple[Any, str]:
        offered = generators(self.kind)
        first = self.start.get("generator", next(iter(offered)))
        name, params = choose_generator(form, offered, first, {})
        function_defaults = defaults(offered[name].function)
        changed = {key: value for key, value in params.items() if value != function_defaults[key]}
        data = generated(name, form.seed, tuple(params.items()))
        return data, make_code("data", name, form.seed, changed)

    def _from_file(self, form: Form) -> tuple[Any, str]:
        return form.file(
            self.reader, self.content, self.accepts, lambda file_id: self.decided(form, file_id)
        )


def choose_from_library(form: Form, names: tuple[str, ...], default: str) -> str:
    """Let the reader choose a data set of the library; return its name."""
    titles = {name: LIBRARY[name].title for name in names}
    first = default if default in names else names[0]
    name: str = form.control(
        "data", Choice(names), first, label="Data set", names=titles, parts=DATA
    )
    describe_entry(form, name)
    return name


def describe_entry(form: Form, name: str) -> None:
    """Say what a data set of the library is."""
    entry = LIBRARY[name]
    if form.is_visible("data", "about"):
        source = f"Source: {entry.source} {entry.licence}"
        form.caption(f"{entry.description} {entry.size}.", source)


def choose_generator(
    form: Form, offered: Mapping[str, Any], first: str, opening: Mapping[str, Any]
) -> tuple[str, dict[str, Any]]:
    """Let the reader choose a generator and its parameters; return its name and their values.

    Parameters
    ----------
    form : Form
        The form.
    offered : mapping of str to Generator
        The generators.
    first : str
        The one that is chosen at first.
    opening : mapping of str to str
        Texts of parameters with which the page opens, as ``moons.noise``.
    """
    titles = {name: generator.title for name, generator in offered.items()}
    name = form.control(
        "generator", Choice(tuple(offered)), first, label="Generator", names=titles, parts=DATA
    )
    generator = offered[name]
    default = defaults(generator.function) | {
        key: spec.parse(opening[f"{name}.{key}"])
        for key, spec in generator.params.items()
        if f"{name}.{key}" in opening
    }
    section, parts = form.section("Settings of the generator", "generator.settings.open", COLUMNS)
    with section:
        params = form.group(name, generator.function, generator.params, default, {}, parts=parts)
    return name, params


def choose_test_size(form: Form, usual: float = 0.3, parts: tuple[str, ...] = DATA) -> float:
    """Let the reader choose the fraction of each class that is held out."""
    help_text = "This fraction of each class is the test set: not trained on, and drawn hollow."
    options: dict[str, Any] = {"label": "Test fraction", "parts": parts, "help_text": help_text}
    return float(form.control("test", TEST, usual, **options))
