"""Write the app's lines into the log as Streamlit writes its own, at the level it is told.

Written against Streamlit 1.67. Without it the app's warnings come without a date.
"""

from __future__ import annotations

import logging

from ui.switches import is_on


def logger(name: str) -> logging.Logger:
    """Return what writes lines under a name."""
    if not is_on("log"):
        return logging.getLogger(name)
    from streamlit.logger import get_logger

    return get_logger(name)
