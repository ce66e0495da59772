"""Imports run one way: app -> pages -> ui -> scenes, plots -> algorithms -> params, trace; dmlib knows no dashboard."""

import ast
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import dmlib

ROOT = Path(__file__).parents[2]
FILES = sorted(
    [ROOT / "app.py", ROOT / "server.py", *(p for d in ("pages", "ui", "dmlib") for p in (ROOT / d).rglob("*.py"))]
)

# What each layer may import of the project, beside itself.
MAY_IMPORT = {
    "app": {"ui"},
    "server": {"ui", "core"},
    "pages": {"ui", "core", "data", "algorithms", "scene", "pictures"},
    "ui": {"core", "data", "algorithms", "scene", "pictures"},
    "pictures": {"core", "data", "algorithms", "scene"},
    "algorithms": {"core"},
    "data": {"core"},
    "scene": {"core"},
    "core": set(),
}
DMLIB_LAYERS = {
    "dmlib": "core",
    "dmlib.params": "core",
    "dmlib.trace": "core",
    "dmlib.problem": "core",
    "dmlib.spreadsheet": "core",
    "dmlib.scene": "scene",
    "dmlib.scenes": "pictures",
    "dmlib.plots": "pictures",
    "dmlib.datasets": "data",
}
# Packages that a layer must not use, however convenient.
FOREIGN = {
    "core": {"streamlit", "plotly"},
    "data": {"streamlit", "plotly"},
    "scene": {"streamlit", "plotly"},
    "algorithms": {"streamlit", "plotly"},
    "pictures": {"streamlit"},
}


def layer(module: str) -> str | None:
    """The layer of a module, None if it is not the project's."""
    parts = module.split(".")
    if parts[0] == "dmlib":
        return DMLIB_LAYERS.get(".".join(parts[:2]), "algorithms")
    return parts[0] if parts[0] in MAY_IMPORT else None


def imports(source: str, package: str) -> set[str]:
    """All modules that a source imports, wherever it does so; names imported from a package count as its modules."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = ".".join([*package.split(".")[: len(package.split(".")) + 1 - node.level], node.module or ""]).strip(
                "."
            )
            found |= {f"{base}.{alias.name}" for alias in node.names} if node.level else {node.module or ""}
            if node.module == "dmlib":
                found |= {f"dmlib.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_imports_only_from_the_layers_below(path):
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    own = layer(module)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for imported in imports(path.read_text("utf-8"), package):
        target = layer(imported)
        foreign = imported.split(".")[0]
        assert target is None or target == own or target in MAY_IMPORT[own], (
            f"{module} ({own}) imports {imported} ({target})"
        )
        assert foreign not in FOREIGN.get(own, ()), f"{module} ({own}) imports {imported}"
        assert own != "pages" or target is not None, f"{module} imports {imported}; a page needs only ui and dmlib"


def test_relative_and_lazy_imports_are_seen():
    source = "def f():\n    from .kmeans import g\n    import streamlit as st\nfrom dmlib import scene"
    assert imports(source, "dmlib.clustering") >= {"dmlib.clustering.kmeans.g", "streamlit", "dmlib.scene"}


def test_the_library_runs_without_the_dashboard():
    names = [m.name for m in pkgutil.walk_packages(dmlib.__path__, "dmlib.")]
    code = (
        f"import importlib, sys; [importlib.import_module(name) for name in {names}]; "
        "sys.exit(bool({'streamlit', 'ui'} & sys.modules.keys()))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
