"""The addresses of rooms (docs/decisions/0041 has the messages)."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from functools import wraps
from urllib.parse import unquote

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from rooms import limits
from rooms.codes import code_of
from rooms.ending import when_asked_to_end
from rooms.events import TEACHER, Hub
from rooms.files import file, page
from rooms.limits import Rate, Rates, network
from rooms.messages import Message, decoded, line
from rooms.refusals import RefusedError, StoreError, malformed, too_many, unreachable
from rooms.rooms import Rooms
from rooms.store import MemoryStore, RoomStore
from ui.body import TooLongError, read
from ui.streamlit_private.origin import is_own

VARIABLE = "DMLIB_ROOMS"
SECRET = "X-Room-Secret"
SCENE = "X-Room-Scene"
CLOSE = {"Connection": "close"}  # what is still to come of a body that is given up is not read
PRIVATE = {"Cache-Control": "no-store"}
FOR_EVER = {"Cache-Control": "private, immutable, max-age=10800", "Content-Encoding": "identity"}
"""A scene is compressed as it is: what would compress it again costs 300 times its work."""
STREAM = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
WRONG = (401, 404)  # a secret, a token or a code

Endpoint = Callable[[Request], Awaitable[Response]]


class RoomRoutes:
    """The routes of rooms.

    Parameters
    ----------
    store : RoomStore
        Where the rooms are.
    """

    def __init__(self, store: RoomStore) -> None:
        self.rooms = Rooms(store)
        self.hub = Hub(store)
        self.rates = Rates()

    def routes(self) -> list[Route]:
        """Return the routes."""
        addresses: list[tuple[str, str, Endpoint]] = [
            ("POST", "/room", self.open),
            ("GET", "/join", self.page),
            ("GET", "/join/{code}", self.page),
            ("GET", "/room/files/{name}", self.file),
            ("POST", "/room/{code}/members", self.join),
            ("GET", "/room/{code}/events", self.events),
            ("PUT", "/room/{code}/scene", self.show),
            ("GET", "/room/{code}/scene/{digest}", self.scene),
            ("POST", "/room/{code}/teacher", self.act),
            ("POST", "/room/{code}/votes", self.vote),
            ("POST", "/room/{code}/places", self.place),
            ("POST", "/room/{code}/progress", self.progress),
            ("GET", "/room/{code}/places", self.places),
            ("GET", "/room/{code}/results.csv", self.results),
        ]
        return [
            Route(path, self._answering(endpoint), methods=[method])
            for method, path, endpoint in addresses
        ]

    def start(self) -> None:
        """Let the server end though browsers listen. Called in its loop."""
        when_asked_to_end(self.hub.begin_end)

    async def end(self) -> None:
        """End all streams, and give back what the store holds."""
        await self.hub.end()
        await self.rooms.store.disconnect()

    # --- Everybody -------------------------------------------------------------------------------

    async def page(self, request: Request) -> Response:
        """Answer with the page of a phone."""
        return page(request, "code" in request.path_params)

    async def file(self, request: Request) -> Response:
        """Answer with a file of that page."""
        return file(request, request.path_params["name"])

    async def open(self, request: Request) -> Response:
        """Open a room."""
        _take(self.rates.rooms, _address(request))
        code, secret = await self.rooms.open()
        return JSONResponse({"code": code, "secret": secret}, 201, PRIVATE)

    async def scene(self, request: Request) -> Response:
        """Answer with the bytes of a scene."""
        code, digest = _code(request), request.path_params["digest"]
        scene = await self.rooms.store.scene(code, digest)
        if scene is None:
            raise RefusedError(410, "This picture is not shown any more: ask for the latest one.")
        return Response(scene, headers=FOR_EVER, media_type="application/octet-stream")

    async def events(self, request: Request) -> Response:
        """Answer with the events of a room."""
        code, member = _code(request), TEACHER
        if SECRET in request.headers:
            await self._check_teacher(request)
        else:
            member = await self.rooms.member(code, request.query_params.get("token"))
            _take(self.rates.streams, member)
        self.hub.check_place()
        events = self.hub.events(code, member)
        return StreamingResponse(events, headers=STREAM, media_type="text/event-stream")

    # --- The teacher -----------------------------------------------------------------------------

    async def show(self, request: Request) -> Response:
        """Show a scene."""
        code = await self._check_teacher(request)
        _take(self.rates.scenes, code)
        about = decoded(unquote(request.headers.get(SCENE, "")).encode(errors="replace"))
        scene = await read(request, limits.SCENE_BYTES)
        if not scene:
            raise malformed("Send the bytes of a scene.")
        room = await self.rooms.show(code, about, scene)
        return _private({"number": room.number, "digest": room.scene})

    async def act(self, request: Request) -> Response:
        """Do what the teacher wants."""
        code = await self._check_teacher(request)
        _take(self.rates.teacher, code)
        message = decoded(await read(request, limits.TEACHER_BYTES))
        return _private({"number": await self.rooms.act(code, message)})

    async def places(self, request: Request) -> Response:
        """Answer with what was collected."""
        return _private({"places": await self.rooms.places(await self._check_teacher(request))})

    async def results(self, request: Request) -> Response:
        """Answer with the results as a file."""
        from rooms.results import results_csv  # pandas, which the server imports when it is warm

        code = await self._check_teacher(request)
        text = await results_csv(self.rooms.store, code)
        name = {"Content-Disposition": f'attachment; filename="room-{code}.csv"'}
        return Response(text, headers=PRIVATE | name, media_type="text/csv")

    async def _check_teacher(self, request: Request) -> str:
        code = _code(request)
        await self.rooms.check_teacher(code, request.headers.get(SECRET, ""))
        return code

    # --- A phone ---------------------------------------------------------------------------------

    async def join(self, request: Request) -> Response:
        """Let a phone in, or in again."""
        code = _code(request)
        message = decoded(await read(request, limits.PHONE_BYTES))
        nickname = line(message, "nickname", limits.NICKNAME_CHARACTERS)
        token = message.get("token")
        try:
            member = await self.rooms.member(code, token)
        except RefusedError:
            await self._check_guesses(request)
            await self.rooms.room(code)
            _take(self.rates.joins, code)
            member, token = await self.rooms.join(code, nickname)
        else:
            _take(self.rates.phone, member)
            await self.rooms.rename(code, member, nickname)
        scene = (await self.rooms.room(code)).scene  # on a slow network it comes with the events
        return _private({"member": member, "token": token, "scene": scene})

    async def vote(self, request: Request) -> Response:
        """Take a vote."""
        code, member, message = await self._message(request)
        return _private({"answered": await self.rooms.vote(code, member, message)})

    async def place(self, request: Request) -> Response:
        """Take a place or a row for the class's data."""
        code, member, message = await self._message(request)
        answered = await self.rooms.contribute(code, member, "collect", message)
        return _private({"answered": answered})

    async def progress(self, request: Request) -> Response:
        """Take how far a practice round is."""
        code, member, message = await self._message(request)
        return _private({"answered": await self.rooms.contribute(code, member, "try", message)})

    async def _message(self, request: Request) -> tuple[str, str, Message]:
        """Return the room, the member and the message of a phone."""
        code = _code(request)
        message = decoded(await read(request, limits.PHONE_BYTES))
        member = await self.rooms.member(code, message.get("token"))
        _take(self.rates.phone, member)
        return code, member, message

    # --- All of them -----------------------------------------------------------------------------

    async def _check_guesses(self, request: Request) -> None:
        """Raise RefusedError if this address has guessed too often."""
        if seconds := await self.rooms.store.wait_for_guess(_address(request), counts=False):
            raise too_many(seconds)

    def _answering(self, endpoint: Endpoint) -> Endpoint:
        """Answer own pages only, and say in a sentence what is refused."""

        @wraps(endpoint)
        async def answer(request: Request) -> Response:
            if not is_own(request):
                return Response(status_code=403, headers=CLOSE)
            try:
                try:
                    return await endpoint(request)
                except RefusedError as refusal:
                    return _refusal(await self._counted(request, refusal))
            except RecursionError:
                return _refusal(malformed("The message is nested too deeply."))
            except StoreError:
                return _refusal(unreachable())
            except (TooLongError, TimeoutError, ClientDisconnect) as error:
                status = 413 if isinstance(error, TooLongError) else 408
                sentence = "The message is too long, or it did not come in time."
                return JSONResponse({"error": sentence}, status, CLOSE)

        return answer

    async def _counted(self, request: Request, refusal: RefusedError) -> RefusedError:
        """Count a wrong code, secret or token; who has sent too many is not told what was wrong.

        What is right is never counted: a whole class is behind one address.
        """
        if refusal.status not in WRONG:
            return refusal
        seconds = await self.rooms.store.wait_for_guess(_address(request), counts=True)
        return too_many(seconds) if seconds else refusal


def store_named(address: str) -> RoomStore:
    """Return the store of an address; without one, rooms are in the process.

    Raises
    ------
    RuntimeError
        If the package that reaches it is not installed.
    """
    if not address:
        return MemoryStore()
    try:
        from rooms.redis_store import RedisStore
    except ModuleNotFoundError:
        raise RuntimeError(
            f"{VARIABLE} names a Redis server, and the package that reaches it is not installed:"
            " pip install 'dmlib[rooms]'."
        ) from None
    return RedisStore(address)


def room_routes() -> RoomRoutes:
    """Return the routes of rooms in the store that the operator names."""
    return RoomRoutes(store_named(os.environ.get(VARIABLE, "")))


def _take(rate: Rate, key: str) -> None:
    """Count a request. Raises RefusedError if it comes too soon."""
    if seconds := rate.take(key):
        raise too_many(seconds)


def _address(request: Request) -> str:
    return network(request.client.host if request.client else "")


def _code(request: Request) -> str:
    return code_of(request.path_params["code"])


def _private(answer: object) -> Response:
    return JSONResponse(answer, headers=PRIVATE)


def _refusal(refusal: RefusedError) -> Response:
    headers = PRIVATE | ({"Retry-After": str(refusal.seconds)} if refusal.seconds else {})
    return JSONResponse({"error": refusal.sentence}, refusal.status, headers)
