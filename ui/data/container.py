"""What the kinds of data that are no table share: a panel with their sources, reading of a file, exported code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import pandas as pd
import streamlit as st

from dmlib.datasets import LIBRARY, TableError, generators, make
from dmlib.datasets.catalogue import DataKind
from dmlib.params import Choice, defaults
from dmlib.pictures.data import first_scene
from dmlib.pictures.plane import empty_scene
from dmlib.pictures.scene import Scene
from dmlib.spreadsheet import to_csv
from dmlib.trace import OutOfTime
from ui.compute import READING, answering
from ui.controls import control, control_group, peek, section
from ui.data.kind import Chosen
from ui.data.library import library
from ui.links import hidden, shown
from ui.memory import forget_older_files
from ui.reading import read_file
from ui.text import literal
from ui.tools.tool import SEED

if TYPE_CHECKING:
    from ui.technique import Technique

WHOLE, SETTINGS = ("data",), ("data", "columns")
SOURCES = {"library": "Library", "generator": "Generate", "draw": "Draw", "upload": "File"}
FOLLOWED = "uploaded.data"  # what was read of the session's file
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
    wanted: ClassVar[str] = ""
    """What such a file holds, for people."""
    less: ClassVar[str]
    """What to choose where a run costs too much: a sentence."""
    plane: ClassVar[bool] = False
    labelled: ClassVar[bool] = False

    # What a kind says for itself
    # --------------------------------------------------------------------------------------

    def prepare(self, data: Any) -> tuple[Any, str]:
        """Return the problem, and the code that makes ``X`` of ``data``."""
        raise NotImplementedError

    def decided(self, file_id: str) -> Mapping[str, Any]:
        """Let the reader decide how a file is read; return further arguments of its reader."""
        return {}

    def drawn(self) -> tuple[Any, str]:
        """Return what the reader made by hand, and the code that makes it."""
        raise NotImplementedError

    def offers(self, chosen: Chosen) -> Mapping[str, Any]:
        """Return what the stage needs for making data by hand."""
        return {}

    def takes(self, message: Mapping[str, Any]) -> bool:
        """Take over what was made by hand on the stage."""
        return False

    # What all have in common
    # ------------------------------------------------------------------------------------------

    @property
    def sources(self) -> dict[str, str]:
        """Where data of this kind can come from."""
        by_hand = type(self).drawn is not Container.drawn
        there = {
            "library": True,
            "generator": bool(generators(self.kind)),
            "draw": by_hand,
            "upload": self.accepts,
        }
        return {name: label for name, label in SOURCES.items() if there[name]}

    def panel(self, technique: Technique) -> Chosen:
        """Show the panel and return what was chosen, ready for a technique."""
        spec = Choice(tuple(self.sources))
        source = control(
            "source",
            spec,
            self.start.get("source", "library"),
            label="Data",
            names=SOURCES,
            parts=WHOLE,
        )
        try:
            with answering("Making these data ready", self.less, READING):
                data, code = self.from_source(source)
                problem, preparing = self.prepare(data)
        except (ValueError, OutOfTime) as error:
            return Chosen(None, None, str(error), source)
        summary = (
            f"{data.title or data.name} · {first_scene(problem).frames[0].caption.rstrip('.')}"
        )
        return Chosen(data, problem, "", source, f"{code}\n{preparing}", code, summary)

    def from_source(self, source: str) -> tuple[Any, str]:
        """Return the data of one of the sources, and the code that makes them."""
        return {
            "library": self._library,
            "generator": self._generated,
            "draw": self.drawn,
            "upload": self._uploaded,
        }[source]()

    def refusal(self, problem: Any, params: Mapping[str, Any]) -> str:
        """Return a sentence that refuses the run before it begins, or nothing."""
        return self.limits(problem, params) if self.limits else ""

    def fits(self, method: str, problem: Any) -> bool:
        """Return whether a problem has what a method predicts: all methods of such a page take the same."""
        return True

    def alone(self, problem: Any, caption: str) -> Scene:
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
        return to_csv(self.listing(self.prepare(data)[0]))

    def names(self) -> tuple[str, ...]:
        """Return the names of the library's data of this kind."""
        return tuple(name for name, entry in LIBRARY.items() if entry.kind == self.kind)

    def _library(self) -> tuple[Any, str]:
        spec = Choice(self.names())
        titles = {name: LIBRARY[name].title for name in spec.options}
        first = self.start.get("data", spec.options[0])
        name = control("data", spec, first, label="Data set", names=titles, parts=WHOLE)
        entry = LIBRARY[name]
        if hidden().isdisjoint({"data", "about"}):
            source = literal(f"Source: {entry.source} {entry.licence}")
            st.caption(literal(f"{entry.description} {entry.size}."), help=source)
        return library(name), f"from dmlib.datasets import load\n\ndata = load({name!r})\n"

    def _generated(self) -> tuple[Any, str]:
        offered = generators(self.kind)
        titles = {name: generator.title for name, generator in offered.items()}
        first = self.start.get("generator", next(iter(offered)))
        name = control(
            "generator", Choice(tuple(offered)), first, label="Generator", names=titles, parts=WHOLE
        )
        generator, seed = offered[name], peek("seed", SEED, 0)
        usual = defaults(generator.function)
        box, parts = section("Settings of the generator", "generator.settings.open", SETTINGS)
        with box:
            params = control_group(
                name, generator.function, generator.params, usual, {}, parts=parts
            )
        changed = "".join(
            f", {key}={value!r}" for key, value in params.items() if value != usual[key]
        )
        code = (
            f"from dmlib.datasets import make\n\ndata = make({name!r},"
            f" random_state={seed}{changed})\n"
        )
        return make(name, random_state=seed, **params), code

    def _uploaded(self) -> tuple[Any, str]:
        file = None
        if shown("data"):
            kinds = [ending.lstrip(".") for ending in self.accepts]
            file = st.file_uploader(self.wanted, type=kinds, key=f"file.{self.kind}")
        if file is None:
            st.session_state.pop(FOLLOWED, None)
            raise ValueError(f"Choose a file. {self.wanted}. A link never contains a file.")
        forget_older_files(file.file_id)
        told = st.container()  # what was read stands above what can be decided of it
        options = self.decided(file.file_id)
        key, kept = (file.file_id, options), st.session_state.get(FOLLOWED)
        if kept is None or kept[0] != key:
            try:
                kept = (key, read_file(self.reader, file, options))
            except TableError as error:
                kept = (key, error)
            st.session_state[FOLLOWED] = kept
        if isinstance(kept[1], Exception):
            raise kept[1]
        if kept[1].notes and shown("data"):
            told.markdown("\n".join(f"- {literal(note.text)}" for note in kept[1].notes[:20]))
        name = file.name.rsplit("/", 1)[-1]  # never a path
        decided = "".join(f", {argument}={value!r}" for argument, value in options.items())
        return (
            kept[1],
            (
                f"from pathlib import Path\n\nfrom dmlib.datasets import {self.reader}\n\npath ="
                f" Path({name!r})\ndata = {self.reader}(path.read_bytes(), path.name{decided})\n"
            ),
        )

    reader: ClassVar[str] = ""
    """Name of the function of ``dmlib.datasets`` that reads a file, here and in the exported
    code."""
