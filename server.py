"""The server: `streamlit run server.py` starts the app warm.

What makes a fresh page quick is done once, here, before the health check answers: the heavy
imports, one BLAS thread, and a garbage collector that need not look at what will never be garbage.
docs/decisions/0003 and 0005 have the numbers.
"""

from __future__ import annotations

import asyncio
import gc
import importlib
import os
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from threadpoolctl import threadpool_limits

from rooms.routes import room_routes
from ui.streamlit_private.disconnects import let_go
from ui.switches import is_on

# What the pages import sooner or later; scikit-learn alone takes about 1.2 s, whichever part of it
# is asked for.
HEAVY = (
    "numpy",
    "pandas",
    "scipy.stats",
    "sklearn.cluster",
    "sklearn.metrics",
    "plotly.graph_objects",
    "networkx",
    "dmlib",
    "dashboard",
    "ui.page",
)

# Visitors run side by side: one thread each beats two that fight for the same cores, and keeps
# floating-point sums, and so the numbers on a page, independent of the machine's number of cores.
# The variables are for the libraries that are yet to be loaded (OpenMP keeps its setting per
# thread, so no call can set it for all); threadpoolctl is for the rest.
os.environ.update(
    dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
)
# Arrow's own allocator keeps what a thread that has ended had asked for; the system's can be told
# to give it back.
os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "system"


ROOMS = room_routes()


def warm_up() -> None:
    """Import what the pages need and settle the process. Safe to call again.

    Loading in a background thread made the second visitor slower; here only the one who starts the
    server waits.
    """
    for name in HEAVY:
        importlib.import_module(name)
    threadpool_limits(limits=1)
    # The page says in a sentence what has not converged; the log is for what goes wrong.
    warnings.filterwarnings("ignore", category=UserWarning, module=r"(dmlib|ui)\.")
    # Everything imported lives as long as the process: freezing takes it out of all later
    # collections.
    gc.collect()
    gc.freeze()


@asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[None]:
    """Warm up before the first request: Streamlit answers its health check after this."""
    warm_up()
    # Imported after the warm-up has set the number of threads.
    from ui.memory import keep_tidy
    from ui.operator import prepare
    from ui.reading import FORK_SERVER
    from ui.streamlit_private import patch
    from ui.work import end_workers

    patch()
    prepare()
    FORK_SERVER.start()
    ROOMS.start()
    tidying = asyncio.create_task(keep_tidy())
    yield
    await ROOMS.end()
    tidying.cancel()
    FORK_SERVER.end()
    end_workers()


def explain(_error: Exception) -> bool:
    """Tell the visitor in a sentence that the page failed; the log has the traceback."""
    st.error(
        "This page met an error that it did not expect. Your data stayed on this server. Reload the"
        " page, or open it without the part of the link after the question mark to start from its"
        " defaults."
    )
    return True


def failed(_request: Request, _error: Exception) -> Response:
    """Answer a request that met an error; the traceback goes to the log."""
    from ui.headers import headers

    return Response("The server met an error that it did not expect.", 500, headers())


async def live(request: Request) -> Response:
    """Answer a stage while a control moves; pages of other hosts get nothing."""
    from ui.live import respond
    from ui.streamlit_private.origin import is_own

    if not is_own(request):
        return Response(status_code=403)
    return await respond(request)


async def practice_round(request: Request) -> Response:
    """Answer a phone of a class with a round of practice."""
    from ui.rounds import respond

    return await respond(request)


def with_headers(inner: ASGIApp) -> ASGIApp:
    """Add headers on frames, types and referrers to every response."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        from ui.headers import adding

        await inner(scope, receive, adding(send) if scope["type"] == "http" else send)

    return answer


def files(inner: ASGIApp) -> ASGIApp:
    """Answer what the first picture waits for from memory, and all else as Streamlit does."""
    if not is_on("first_page"):
        return inner

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            from ui.files import serve

            if await serve(scope, send):
                return
        await inner(scope, receive, send)

    return answer


app = st.App(
    Path(__file__).with_name("app.py"),
    lifespan=lifespan,
    middleware=[Middleware(with_headers), Middleware(let_go), Middleware(files)],
    routes=[
        Route("/live", live, methods=["POST"]),
        Route("/room/rounds/{slug}/{round_number:int}/{variant:int}", practice_round),
        *ROOMS.routes(),
    ],
    on_script_error=explain,
    exception_handlers={Exception: failed},
)
