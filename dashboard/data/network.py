"""Bayesian networks, with what is observed and which node is asked about.

They are those of the library, learned from a table of it by edges that the reader draws or types,
or read from a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dashboard.data.container import DATA, Container
from dashboard.data.graph import well_formed_edges
from dashboard.data.kind import Chosen
from dashboard.data.library import library
from dashboard.data.points import edit_spec
from dashboard.form import Form
from dashboard.messages import finite_points
from dashboard.settings import Settings
from dashboard.text import literal
from dmlib.datasets import LIBRARY, learn_network
from dmlib.datasets.catalogue import DataKind
from dmlib.datasets.learned_network import MAX_EDGES_TEXT, edges_text, node_columns, parse_edges
from dmlib.datasets.table import TableError
from dmlib.params import Choice, Number
from dmlib.pictures.data.network import PANEL, column_places, network_panel
from dmlib.pictures.scene import Frame, Scene
from dmlib.problem import prepare_network

UNKNOWN = "-"
"""The text, in a link, of a node that is not observed."""

TABLE, EDGES = "network.table", "network.edges"
FIRST_TABLE = "titanic"
N_CAUSES = 3  # columns that point to the target before somebody draws or types edges
LEARNED = {"draw": "learned_network", "upload": "network_file"}
"""By source: the name, in a link, of a network whose edges the reader decides."""
NO_EDGES = (
    "Draw an edge: drag from one column to another on the picture. Or type edges such as “A -> B”"
    " under Data."
)
LAPLACE = Number(0.0, 1e6, shown=(0.0, 10.0), step=0.5)


@dataclass(frozen=True)
class Network(Container):
    """A Bayesian network and a question about it."""

    kind: ClassVar[DataKind] = "network"
    advice: ClassVar[str] = "Choose a smaller network, or variable elimination."
    accepts: ClassVar[tuple[str, ...]] = (".bif", ".csv", ".txt", ".tsv", ".xlsx", ".ods")
    content: ClassVar[str] = (
        "A network in BIF; or a table, in whose rows the tables of a network are counted"
    )
    reader: ClassVar[str] = "read_network"

    @property
    def sources(self) -> dict[str, str]:
        """Where networks come from: what is made by hand is learned from a table."""
        return {**super().sources, "draw": "Learn"}

    def prepare(self, data: Any, form: Form) -> tuple[Any, str]:
        """Let the reader choose the target and the values of the other nodes."""
        nodes = data.nodes
        names = Choice(tuple(node.name for node in nodes))
        target = form.control(
            f"{data.name}.target", names, data.target, label="Asked about (target)", parts=DATA
        )
        # A node of the reader's own may be called "target" too.
        prefix = data.name if data.name in LIBRARY else f"{data.name}.observed"
        evidence = {}
        for node in nodes:
            if node.name == target:
                continue
            value = form.control(
                f"{prefix}.{node.name}",
                Choice((UNKNOWN, *node.values)),
                UNKNOWN,
                label=node.name if data.name in LIBRARY else literal(node.name),
                names={UNKNOWN: "not observed", **{value: value for value in node.values}},
                parts=DATA,
            )
            if value != UNKNOWN:
                evidence[node.name] = value
        problem = prepare_network(nodes, target, evidence, data.columns)
        code = (
            "from dmlib.problem import prepare_network\n\n"
            f"problem = prepare_network(data.nodes, {target!r}, {evidence!r})\nX = problem.data\n"
        )
        return problem, code

    def from_hand(self, form: Form) -> tuple[Any, str]:
        """Return a network whose edges the reader decides, with tables counted in a table."""
        tables = _tables()
        name = form.control(
            TABLE,
            Choice(tables),
            FIRST_TABLE,
            label="Table",
            names={name: LIBRARY[name].title for name in tables},
            parts=DATA,
            after_change=_without_edges,
        )
        table = library(name)
        edges = _edges(form, _first_edges(table))
        laplace = _laplace(form)
        if not edges.strip():
            raise ValueError(NO_EDGES)
        is_drawn = bool(node_columns(table.frame))
        hint = " Drag from one to another on the picture, or type an edge." if is_drawn else ""
        form.caption(f"Columns: {', '.join(map(str, table.frame))}.{hint}")
        code = (
            "from dmlib.datasets import learn_network, load\n\n"
            f"table = load({name!r})\n"
            f"data = learn_network(table.frame, {edges!r}, laplace={laplace!r})\n"
        )
        return learn_network(table.frame, edges, laplace=laplace), code

    def decided(self, form: Form, file_id: str) -> Mapping[str, Any]:
        """Let the reader type the edges between the columns of a table."""
        edges = _edges(form, "", " (of a table)")
        laplace = _laplace(form) if edges else 1.0
        return {"edges": edges, "laplace": laplace} if edges else {}

    def picture(self, problem: Any, caption: str) -> Scene:
        """Return the network alone; without one, an empty panel to draw on."""
        if problem is not None:
            return super().picture(problem, caption)
        return Scene((network_panel(),), (), (Frame(caption),))

    def offers(self, chosen: Chosen, settings: Settings) -> Mapping[str, Any]:
        """Let the stage draw edges between the columns of a table, if they can be read and seen."""
        form, typed = Form(settings), ""
        names: tuple[str, ...] = ()
        if chosen.source == "draw":
            table = library(form.value(TABLE, Choice(_tables()).parse, FIRST_TABLE))
            typed, names = _first_edges(table), node_columns(table.frame)
        elif chosen.table is not None:
            names = chosen.table.columns
        text = form.value(EDGES, str, typed)
        if not names:
            return {}
        try:
            parents = parse_edges(text, names) if text.strip() else {}
        except TableError:
            return {}  # drawing would replace what the reader has typed
        places = column_places(len(names)).tolist()
        points = [[*place, int(name in parents)] for place, name in zip(places, names, strict=True)]
        edges = [(parent, node) for node, above in parents.items() for parent in above]
        return {
            "edit": edit_spec(settings, EDGES, points)
            | {
                "panel": PANEL,
                "label": "Draw",
                "names": names,
                "edges": [[names.index(name) for name in edge] for edge in edges],
                "directed": True,
                "acyclic": True,
                "max": MAX_EDGES_TEXT // (2 * max(map(len, names)) + len(" -> ; ")),
                "target": "" if chosen.problem is None else chosen.problem.target,
            }
        }

    def change(self, settings: Settings, message: Mapping[str, Any]) -> Settings | None:
        """Write drawn edges as they are typed; the question stays, as long as it has its node.

        Without any node there is that of the question.
        """
        data_name = LEARNED.get(settings.text("source") or "")
        if message.get("base") != EDGES or data_name is None:
            return None
        listed = message.get("names")
        names = [str(name) for name in listed] if isinstance(listed, list) else []
        points = finite_points(message.get("points"))
        parents: dict[str, list[str]] = {}
        for i, j in well_formed_edges(message.get("edges"), len(names), is_directed=True):
            parents.setdefault(names[int(i)], [])
            parents.setdefault(names[int(j)], []).append(names[int(i)])
        for name, (_, _, is_node) in zip(names, points, strict=False):
            if is_node:
                parents.setdefault(name, [])
        key = f"{data_name}.target"
        target = str(message.get("target") or settings.text(key))
        if not parents and target in names:
            parents[target] = []
        settings = settings.with_text(EDGES, edges_text(parents)[:MAX_EDGES_TEXT])
        return settings.with_text(key, target) if target in parents else settings.without(key)


def _tables() -> tuple[str, ...]:
    """Return the names of the library's tables with classes."""
    return tuple(
        name
        for name, entry in LIBRARY.items()
        if entry.kind == "table" and entry.target and not entry.numeric_target
    )


def _first_edges(table: Any) -> str:
    causes = [column for column in table.frame if column != table.target][:N_CAUSES]
    return edges_text({table.target: causes})


def _edges(form: Form, default: str, of: str = "") -> str:
    return form.text_field(EDGES, f"Edges{of}, A -> B; C -> B", default, max_chars=MAX_EDGES_TEXT)


def _laplace(form: Form) -> float:
    return float(
        form.control(
            "network.laplace",
            LAPLACE,
            1.0,
            label="Laplace smoothing",
            parts=DATA,
            help_text="Added to each count of the tables.",
        )
    )


def _without_edges(settings: Settings) -> Settings:
    return settings.without(EDGES)
