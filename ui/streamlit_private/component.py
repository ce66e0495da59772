"""Tell Streamlit where the files of the stage are.

Its own discovery reads the metadata of installed packages and looks only inside the package; the
assets are beside it, and a plain checkout has no metadata (docs/decisions/0002).

Written against Streamlit 1.67. Without it the stage is sent as a text with the page, anew for each
visitor; it cannot ask the live route, nor save a page that plays.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest


def serve_assets(names: Sequence[str], root: Path) -> None:
    """Let Streamlit serve the folder ``assets`` below a root as that of some components."""
    manager = get_bidi_component_manager()
    if manager.get_component_asset_root(names[0]) is None:
        package = names[0].partition(".")[0]
        components = [ComponentConfig(name.partition(".")[2], "assets") for name in names]
        manager.register_from_manifest(ComponentManifest(package, "0", components), root)
