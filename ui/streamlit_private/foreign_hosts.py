"""Let no visitor make the server ask other hosts for its own addresses.

Streamlit 1.67 does, with all visitors waiting for seconds, when a connection names an origin that
it does not know. Pages of the server's own host are allowed without.

Written against Streamlit 1.67. Without it a connection of a foreign page holds everybody up for
seconds, once.
"""

from __future__ import annotations

from streamlit import net_util


def patch() -> None:
    """Let the server have no other addresses than those it is told."""
    net_util.get_external_ip = net_util.get_internal_ip = lambda: None
