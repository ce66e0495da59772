"""Streamlit serves the files of the stage from beside the package.

If a newer Streamlit fails this: try first whether the table in pyproject.toml finds a folder beside
the package by now (docs/decisions/0002), and delete the file if it does; else find what that table
leads to.
"""

import pytest
from streamlit.components.v2.component_manager import BidiComponentManager

import ui.stage
from tests.visit import sound, stage, visit
from ui.stage import ASSETS, NAME
from ui.streamlit_private import component


@pytest.fixture
def manager(monkeypatch):
    new = BidiComponentManager()
    monkeypatch.setattr(component, "get_bidi_component_manager", lambda: new)
    return new


def test_the_folder_is_that_of_the_assets(manager):
    assert manager.get_component_asset_root(NAME) is None  # else nothing need be done about it
    for _ in range(2):
        component.serve_assets((NAME,), ASSETS.parent)
    assert manager.get_component_asset_root(NAME) == ASSETS


def test_without_it_the_stage_is_sent_with_the_page(monkeypatch):
    monkeypatch.setattr(ui.stage, "is_on", lambda _: False)
    for component_of in (ui.stage._component, ui.stage._script):
        component_of.clear()
    try:
        assert len(stage(sound(visit("kmeans")))["frames"]) > 1
    finally:
        for component_of in (ui.stage._component, ui.stage._script):
            component_of.clear()
