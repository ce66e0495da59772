"""The theme is said as Streamlit says it, and looked up once.

If a newer Streamlit fails this: find what fills the theme into the message of a new session and
keep what it has filled in; delete the file if the settings are looked up once by themselves.
"""

from streamlit import config
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session

from ui.streamlit_private.theme_message import patch

SECTIONS = ("theme", *(f"theme.{category.value}" for category in config.CustomThemeCategories))


def test_the_theme_is_said_as_streamlit_says_it_and_looked_up_once(monkeypatch):
    def theme():
        message = CustomThemeConfig()
        light, dark = message.light, message.dark
        parts = message, message.sidebar, light, dark, light.sidebar, dark.sidebar
        for part, section in zip(parts, SECTIONS, strict=True):
            app_session._populate_theme_msg(part, section)
        return message

    lookups, options = [], config.get_options_for_section
    monkeypatch.setattr(
        config,
        "get_options_for_section",
        lambda section: lookups.append(section) or options(section),
    )
    monkeypatch.setattr(app_session, "_populate_theme_msg", app_session._populate_theme_msg)
    as_streamlit_says = theme().SerializeToString(deterministic=True)
    assert theme().SerializeToString(deterministic=True) == as_streamlit_says
    assert len(lookups) == 2 * len(SECTIONS)  # each time anew; else nothing need be done about it
    lookups.clear()
    patch()
    for _ in range(3):
        assert theme().SerializeToString(deterministic=True) == as_streamlit_says
    assert sorted(lookups) == sorted(SECTIONS)
