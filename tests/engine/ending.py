"""The server, with one more address: it lets processes and a cluster work without end.

Usage: ``python -m tests.engine.ending PORT FOLDER``.
"""

import os
import sys
import threading
from functools import partial

import uvicorn
from starlette.responses import Response
from starlette.routing import Route

import server
from dmlib import engine
from dmlib.engine.places import VARIABLE
from tests.engine.work import wait_for_ever


def work(folder):
    os.makedirs(folder)
    list(engine.map(partial(wait_for_ever, folder), range(4), long=True))


async def begin(request):
    kind = request.path_params["kind"]
    os.environ[VARIABLE] = "local" if kind == "cluster" else ""
    threading.Thread(target=work, args=(os.path.join(sys.argv[2], kind),), daemon=True).start()
    return Response("begun")


if __name__ == "__main__":
    server.app._user_routes.append(Route("/_begin/{kind}", begin))
    uvicorn.run(server.app, port=int(sys.argv[1]))
