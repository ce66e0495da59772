"""Write each part of the theme into a message once, since it is the same in each run.

Streamlit 1.67 looks up some 300 settings for each run, which takes the loop that sends all answers
0.27 ms.

Written against Streamlit 1.67. Without it the server bears a few visitors less.
"""

from __future__ import annotations

from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session


def patch() -> None:
    """Keep each part as it was written first."""
    populate = app_session._populate_theme_msg
    parts: dict[str, CustomThemeConfig] = {}

    def populate_theme(msg: CustomThemeConfig, section: str = "theme") -> None:
        if section not in parts:
            part = CustomThemeConfig()
            populate(part, section)
            parts[section] = part
        if parts[section].ByteSize():
            msg.MergeFrom(parts[section])

    app_session._populate_theme_msg = populate_theme
