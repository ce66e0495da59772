"""Tell Streamlit where the files of the stage are.

Its own discovery reads the metadata of installed packages and looks only inside the package; the
assets are beside it, and a plain checkout has no metadata (docs/decisions/0002).

Written against Streamlit 1.67. Without it the stage is sent as a text with the page, anew for each
visitor; it cannot ask the live route, nor save a page that plays.
"""

from __future__ import annotations

from pathlib import Path

from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest


def serve_assets(name: str, root: Path) -> None:
    """Let Streamlit serve the folder ``assets`` below a root as those of a component."""
    manager = get_bidi_component_manager()
    if manager.get_component_asset_root(name) is None:
        package, component = name.split(".")
        manifest = ComponentManifest(package, "0", [ComponentConfig(component, "assets")])
        manager.register_from_manifest(manifest, root)
