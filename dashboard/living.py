"""A run that plays by itself: estimator and scene of a page, reduced to the picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dashboard.catalogue import CATALOGUE, Entry
from dashboard.estimators import new
from dashboard.presets import Preset, link_of
from dmlib.datasets import make
from dmlib.pictures.encode import encode
from dmlib.pictures.run import AnyRun, Run
from dmlib.pictures.scene import Scene
from dmlib.problem import prepare


@dataclass(frozen=True)
class Living:
    """One run on generated data, and the page that it is from.

    Attributes
    ----------
    slug : str
        The page.
    algorithm : type
        The class of its first method.
    scene : callable
        Run -> Scene, as on the page.
    generator : str
        Of the data.
    sentence : str
        What there is to see.
    data : mapping
        Settings of the generator.
    params : mapping
        Parameters of the algorithm that are not its defaults.
    seed : int
        Of the data and of the algorithm.
    begin : int
        The step at which it begins to play: before, there is little to see.
    """

    slug: str
    algorithm: Any
    scene: Callable[[AnyRun], Scene]
    generator: str
    sentence: str
    data: Mapping[str, Any] = field(default_factory=dict)
    params: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    begin: int = 0

    @property
    def entry(self) -> Entry:
        """Its page in the catalogue."""
        return CATALOGUE[self.slug]

    @property
    def link(self) -> dict[str, list[str]]:
        """The link to the page that opens this very run."""
        data = {f"{self.generator}.{name}": value for name, value in self.data.items()}
        start = {"source": "generator", "generator": self.generator, "seed": self.seed}
        return link_of(self.slug, Preset("", "", start | data | dict(self.params)))

    def run(self) -> AnyRun:
        """Run the algorithm."""
        table = make(self.generator, random_state=self.seed, **self.data)
        model = new(self.algorithm, self.params, self.seed)
        return Run.of(prepare(table.frame, table.numeric, target=table.target), model)

    def encoded(self) -> bytes:
        """Return its picture as the stage gets it."""
        scene = only_main(self.scene(self.run()))
        return encode(
            scene,
            name=self.slug,
            title=self.entry.title,
            selectable=False,
            living=True,
            frame={"serial": 0, "at": self.begin},
        )


def only_main(scene: Scene) -> Scene:
    """Return the large panels with their marks and captions: what a small picture has room for."""
    panels = [panel for panel in scene.panels if not panel.side]
    names = {panel.name for panel in panels}
    return Scene(
        panels,
        [mark for mark in scene.marks if mark.panel in names],
        [replace(frame, ledger=()) for frame in scene.frames],
    )
