"""Imports run one way: app, pages, ui, figures, scenes and ledgers, algorithms, core."""

import ast
import pkgutil
import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from itertools import groupby
from pathlib import Path

import pytest

import dmlib

ROOT = Path(__file__).parents[2]
FILES = [
    ROOT / "app.py",
    ROOT / "server.py",
    *(
        p
        for d in ("pages", "rooms", "ui", "edition", "dashboard", "dmlib")
        for p in (ROOT / d).rglob("*.py")
    ),
]


def part(path: Path) -> str:
    """The part of the project that a file belongs to: its technique's folder, or itself."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts[:3])


PARTS = {name: list(paths) for name, paths in groupby(sorted(FILES, key=part), part)}
each_part = pytest.mark.parametrize("paths", PARTS.values(), ids=PARTS)

# What each layer may import of the project, beside itself.
MAY_IMPORT = {
    "app": {"ui"},
    "server": {"rooms", "ui", "core"},
    "rooms": {"ui", "core"},
    "command": {"dashboard", "core"},
    "edition": {"dashboard", "playback", "core"},
    "pages": {
        "ui",
        "dashboard",
        "core",
        "data",
        "algorithm",
        "pictures",
        "scene",
        "figures",
        "reference",
    },
    "ui": {"dashboard", "core", "data", "algorithm", "pictures", "scene", "figures", "outputs"},
    "dashboard": {"core", "data", "algorithm", "pictures", "scene", "figures", "outputs"},
    "figures": {"core", "data", "algorithm", "pictures", "scene"},
    "playback": {"core", "data", "algorithm", "pictures", "scene"},
    "outputs": {"core", "data", "algorithm", "pictures"},
    "scene": {"core", "data", "algorithm", "pictures"},
    "reference": {"core", "algorithm", "pictures", "scene"},
    "pictures": {"core", "data", "algorithm"},
    "algorithm": {"core"},
    "data": {"core"},
    "core": set(),
}
CORE = {
    "arrays",
    "cached",
    "comparison",
    "durations",
    "estimator",
    "params",
    "trace",
    "problem",
    "reference",
    "spreadsheet",
    "squares",
}
FOLDERS = {"datasets": "data", "outputs": "outputs", "practice": "command", "playback": "playback"}
SCENES = {"scene", "ledger", "questions"}
# Packages that a layer must not use, however convenient.
FOREIGN = {
    layer: {"streamlit"}
    if layer in ("figures", "dashboard", "rooms", "edition")
    else {"streamlit", "plotly"}
    for layer in (
        *("core", "data", "pictures", "algorithm", "scene", "reference", "figures"),
        *("dashboard", "rooms", "edition"),
    )
}
FAMILIES = {path.parent.name for path in (ROOT / "dmlib").glob("*/__init__.pyi")}


def layer(module: str) -> str | None:
    """The layer of a module by its place and the end of its name; None outside of the project."""
    package, *parts = module.split(".")
    if package != "dmlib":
        return package if package in MAY_IMPORT else None
    if not parts or parts[0] in CORE:
        return "core"
    if parts[0] in FOLDERS:
        return FOLDERS[parts[0]]
    roles = {part.rsplit("_", 1)[-1] for part in parts[1:]}
    if "figures" in roles:
        return "figures"
    if parts[0] == "pictures":
        return "pictures"
    return "scene" if roles & SCENES else "reference" if "reference" in roles else "algorithm"


def technique(module: str) -> str | None:
    """The technique that a module belongs to, as family.technique."""
    parts = module.split(".")
    inside = len(parts) > 3 and parts[0] == "dmlib" and parts[1] in FAMILIES
    return ".".join(parts[1:3]) if inside else None


def imports(source: str, package: str) -> set[str]:
    """All modules that a source imports anywhere; names from a package count as modules."""
    modules = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(
                [*package.split(".")[: len(package.split(".")) + 1 - node.level], node.module or ""]
            ).strip(".")
            modules |= (
                {f"{base}.{alias.name}" for alias in node.names}
                if node.level
                else {node.module or ""}
            )
            if node.module == "dmlib":
                modules |= {f"dmlib.{alias.name}" for alias in node.names}
    return modules


@cache
def imports_of(path: Path) -> tuple[str, set[str]]:
    """The name of a file's module, and all modules that it imports."""
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    return module, imports(path.read_text("utf-8"), package)


@each_part
def test_a_file_imports_only_from_the_layers_below(paths):
    for path in paths:
        module, names = imports_of(path)
        own = layer(module)
        for imported in names:
            target = layer(imported)
            message = f"{module} ({own}) imports {imported} ({target})"
            assert target is None or target == own or target in MAY_IMPORT[own], message
            if (
                technique(module)
                and technique(imported)
                and technique(module) != technique(imported)
            ):
                shared = {"algorithm", "reference"} if own == "reference" else {"algorithm"}
                assert target in shared, f"{message}; what two techniques share lies beside them"
            assert imported.split(".")[0] not in FOREIGN.get(own, ()), message
            assert own != "pages" or target is not None, (
                f"{message}; a page needs only the dashboard and dmlib"
            )


def test_relative_and_lazy_imports_are_seen():
    source = (
        "def f():\n    from .kmeans import g\n    import streamlit as st\nfrom dmlib import"
        " pictures"
    )
    assert imports(source, "dmlib.clustering") >= {
        "dmlib.clustering.kmeans.g",
        "streamlit",
        "dmlib.pictures",
    }


def test_the_library_runs_without_the_dashboard():
    names = [m.name for m in pkgutil.walk_packages(dmlib.__path__, "dmlib.")]
    code = (
        f"import importlib, sys; [importlib.import_module(name) for name in {names}]; "
        "sys.exit(bool({'streamlit', 'ui'} & sys.modules.keys()))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_all_algorithms_load_without_a_picture():
    names = [f"dmlib.{family}" for family in sorted(FAMILIES)]
    code = (
        f"import importlib, sys; packages = [importlib.import_module(name) for name in {names}];"
        " count = sum(getattr(package, name) is not None for package in packages for name in"
        " package.__all__); print(count, *sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, cwd=ROOT, capture_output=True, text=True
    )
    count, *loaded = done.stdout.split()
    assert int(count) > 60
    assert not {"plotly", "streamlit"} & set(loaded)
    assert not [
        name for name in loaded if layer(name) in ("pictures", "scene", "figures", "reference")
    ]


def test_importing_a_family_loads_no_algorithm():
    code = "import sys, dmlib.clustering; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, cwd=ROOT, capture_output=True, text=True
    )
    assert not [name for name in done.stdout.split() if name.startswith("dmlib.clustering.")]


@each_part
def test_only_runs_look_at_a_clock(paths):
    """Measured time decides nothing outside of a few files; runs have seconds, visitors turns.

    The engine decides by time where work is done, and a reader when it says how far it is: that
    changes no number. A benchmark says how long a fit takes. A room has an end, and rates.
    """
    for path in paths:
        clocks = {
            module for module in imports_of(path)[1] if module.split(".")[0] in {"time", "timeit"}
        }
        decides = path.stem in {"trace", "compute", "load", "work", "benchmark"}
        decides |= path.parent in (ROOT / "dmlib" / "engine", ROOT / "rooms")
        decides |= path.parent.name == "reading" and path.stem in {"process", "program"}
        assert decides or not clocks, path


# --- installed alone ------------------------------------------------------------------------------

OPTIONAL = {
    "anywidget": "the extra widget; without it a run is an HTML page, and says so",
    "traitlets": "comes with anywidget",
    "playwright": "the extra gif; without it no animated picture is drawn, and what to do is said",
    "dashboard": "the command that grades rounds opens pages; without it, it says where to run it",
    "distributed": "the extra cluster; without it tasks run here",
    "mlxtend": "compared with where it is there; otherwise the comparison says that it is not",
}
"""Packages that dmlib imports in functions alone, and what happens where they are missing."""
ENGINES = {"xlsxwriter"}
"""Packages that pandas imports by the name of their format."""


def third_party(body):
    """The packages of others that statements import, by the first part of their names."""
    nodes = [node for statement in body for node in ast.walk(statement)]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and not node.level}
    return {name.split(".")[0] for name in names} - sys.stdlib_module_names - {"dmlib"}


def canonical(distribution):
    """The name of a distribution as indexes compare it."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


def test_what_the_library_imports_is_declared_and_nothing_else():
    """Installed alone it has only what is declared, whatever the dashboard brings along."""
    sources = [ast.parse(path.read_text("utf-8")) for path in (ROOT / "dmlib").rglob("*.py")]
    imported = set().union(*(third_party(source.body) for source in sources)) - OPTIONAL.keys()
    distributions = packages_distributions()
    needed = {canonical(name) for package in imported for name in distributions[package]}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    declared = {canonical(re.match(r"[\w.-]+", line)[0]) for line in project["dependencies"]}
    assert declared == needed | ENGINES


def test_what_is_optional_is_imported_where_it_is_used():
    for path in (ROOT / "dmlib").rglob("*.py"):
        body = ast.parse(path.read_text("utf-8")).body
        at_once = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
        assert not third_party(at_once) & OPTIONAL.keys(), path


def test_what_is_declared_is_pinned_and_the_project_comes_last():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    pinned = {canonical(line.split("==")[0]) for line in lines if "==" in line}
    declared = [*project["dependencies"], *project["optional-dependencies"]["app"]]
    assert {canonical(re.match(r"[\w.-]+", line)[0]) for line in declared} <= pinned
    assert lines[-1] == "-e ."


def test_the_house_is_drawn_as_it_is():
    """The picture in docs/architecture.md names all layers, those that import others above them."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    picture = text.partition("## The house")[2].partition("\n\nA file imports")[0]
    lines = [line.split()[0] for line in picture.splitlines() if line.strip()]
    assert set(lines) == set(MAY_IMPORT)
    place = {name: i for i, name in enumerate(lines)}
    upwards = {
        (name, target)
        for name, targets in MAY_IMPORT.items()
        for target in targets
        if place[target] < place[name]
    }
    assert upwards == {("pages", "ui")}


def test_files_that_the_guide_names_exist():
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    names = re.findall(r"`([\w/]+\.(?:py|js))`", text)
    links = re.findall(r"\]\(([\w./]+)\)", text)
    assert len(names) > 15
    assert "glossary.md" in links
    assert [name for name in names if not (ROOT / name).exists()] == []
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []


def test_the_guide_leads_through_few_files():
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    moving = text.partition("## What happens when a slider moves")[2].partition("When it rests")[0]
    reading = text.partition("## Ten files to read")[2]
    files = re.compile(r"`([\w/]+\.(?:py|js))`")
    assert 0 < len(files.findall(moving)) <= 6
    assert len(set(files.findall(reading))) == 10
