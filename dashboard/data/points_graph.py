"""Graphs, or points of a table that are joined to their neighbours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dashboard.data.container import DATA, SOURCES
from dashboard.data.graph import Graph
from dashboard.data.kind import Chosen
from dashboard.data.points import change_points
from dashboard.data.table import Table
from dashboard.form import Form
from dashboard.settings import Settings
from dmlib.clustering import points_graph
from dmlib.clustering.graph_clustering.points_graph import PARAMS, TARGET, typical_radius
from dmlib.clustering.ranges import radius_range
from dmlib.datasets import GraphData
from dmlib.params import Choice, Number
from dmlib.problem import Problem, prepare_graph

if TYPE_CHECKING:
    from dashboard.technique import Technique

POINTS, ORIGIN = "points", "points.source"
TABLES = Table(start={"generator": "moons"}, max_rows=200, row_limit=500)
RULES = {"epsilon": "within a radius ε", "knn": "k nearest neighbours"}


@dataclass(frozen=True)
class PointsGraph(Graph):
    """Graphs, and points as such: near ones are joined, by an edge that weighs their distance.

    Parameters
    ----------
    weights : str
        The name, in a link, of the parameter that says what a large weight means. Where it is
        nearness, an edge weighs the similarity 1 / (1 + distance).
    """

    weights: str = "graph_clustering.weights"

    @property
    def sources(self) -> dict[str, str]:
        """Where data of this kind can come from."""
        return {**super().sources, POINTS: "Points"}

    def with_file(self, settings: Settings) -> tuple[str, Settings]:
        """Return the reader of a file that is dropped, and the settings that show it."""
        if settings.text("source") == POINTS:
            return "read_table", settings.without("sample").with_text(ORIGIN, "upload")
        return super().with_file(settings)

    def choose_source(self, form: Form) -> str:
        """Let the reader choose the source; edges between points weigh distances at first."""

        def with_distances(settings: Settings) -> Settings:
            is_points = settings.text("source") == POINTS
            return settings.with_text(self.weights, *(["distance"] if is_points else []))

        source: str = form.control(
            "source",
            Choice(tuple(self.sources)),
            self.start.get("source", "library"),
            label="Source",
            names=self.sources,
            parts=DATA,
            after_change=with_distances,
        )
        return source

    def choose_from(self, technique: Technique, method: str, form: Form, source: str) -> Chosen:
        """Let the reader choose the data of a source, ready for a technique."""
        if source != POINTS:
            return super().choose_from(technique, method, form, source)
        spec = Choice(tuple(SOURCES))
        origin = form.control(
            ORIGIN, spec, "generator", label="Points from", names=SOURCES, parts=DATA
        )
        points = TABLES.choose_from(technique, method, form, origin)
        if points.problem is None:
            return replace(points, kind=self, source=source)
        try:
            return self._joined(points, form)
        except ValueError as error:
            return Chosen(self, None, None, str(error), source)

    def _joined(self, points: Chosen, form: Form) -> Chosen:
        """Return the graph of some points; the reader chooses which of them are joined."""
        rule, options = _choose_neighbors(points.problem, form)
        weights = form.peek(self.weights, PARAMS["weights"], "similarity")
        graph = points_graph(points.problem, rule, **options, weights=weights)
        target = TARGET if points.problem.classes else None
        problem = prepare_graph(graph, target=target, random_state=form.seed)
        problem = replace(problem, notes=(*points.problem.notes, *problem.notes))
        arguments = "".join(f", {name}={value!r}" for name, value in options.items())
        code = (
            f"{points.code}\n"
            "from dmlib.clustering import points_graph\n"
            "from dmlib.problem import prepare_graph\n\n"
            f"graph = points_graph(problem, {rule!r}{arguments}, weights={weights!r})\n"
            f"problem = prepare_graph(graph, target={target!r}, random_state={form.seed})\n"
            "X = problem.graph\n"
        )
        table = points.table
        data = GraphData(
            graph,
            target,
            name=table.name,
            title=table.title,
            description=table.description,
            source=table.source,
            licence=table.licence,
        )
        summary = f"{table.title or table.name} · {len(graph)} points · {graph.size():,} edges"
        return Chosen(self, data, problem, "", POINTS, code, code, summary)

    def offers(self, chosen: Chosen, settings: Settings) -> Mapping[str, Any]:
        """Let the stage draw nodes and edges, or points."""
        if chosen.source == POINTS:
            origin = settings.text(ORIGIN) or "generator"
            return TABLES.offers(replace(chosen, source=origin, problem=None), settings)
        return super().offers(chosen, settings)

    def change(self, settings: Settings, message: Mapping[str, Any]) -> Settings | None:
        """Take over what was drawn."""
        changed = super().change(settings, message)
        return change_points(settings, message) if changed is None else changed


def _choose_neighbors(problem: Problem, form: Form) -> tuple[str, dict[str, Any]]:
    """Let the reader choose which points are joined; return the rule and its number."""
    rule = form.control(
        "points.rule",
        PARAMS["rule"],
        "epsilon",
        label="Edges join points",
        names=RULES,
        parts=DATA,
        help_text=(
            "Within a radius: all pairs up to the distance ε. Nearest neighbours: each point and"
            " its k nearest others."
        ),
    )
    if rule == "knn":
        label = "Neighbours k"
        k = form.control("points.k", PARAMS["n_neighbors"], 5, label=label, parts=DATA)
        return rule, {"n_neighbors": k}
    spec, label = Number(0.0, 1e12, shown=_radius_bounds(problem), log=True), "Radius ε"
    eps = form.control("points.eps", spec, typical_radius(problem), label=label, parts=DATA)
    return rule, {"eps": eps}


def _radius_bounds(problem: Problem) -> tuple[float, float]:
    """Return between which radii a slider moves."""
    bounds = radius_range(problem.X)
    return (float(bounds[0]) / 10, float(bounds[-1])) if len(bounds) == 2 else (0.01, 10.0)
