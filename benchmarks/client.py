"""A visitor without a browser: speaks the protocol of Streamlit's websocket."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from dmlib.pictures.encode import decode


class Client:
    """One session on one page.

    Parameters
    ----------
    address : str
        The server's.
    page : str
        The page's link, empty for the first page.

    Attributes
    ----------
    sliders : dict of str to str
        The ids of the sliders that the page has, by key (by label where there is no key); that of
        the stage for those beside the picture.
    query : str
        What is after the question mark in the address; the page keeps its state there.
    session, uploader : str
        The id of the session, and of the page's file uploader if it has one.
    received : int
        Bytes so far.
    """

    def __init__(self, address: str, page: str = ""):
        self.address, self.page = address, page
        self.sliders: dict[str, str] = {}
        self.session = self.uploader = ""
        self.file: tuple[str, str] | None = None  # id and name of the file that was sent
        self.fragments: dict[str, str] = {}
        self.values: dict[str, float] = {}
        self.stage, self.sent = "", 0
        self.query = ""
        self.received = 0

    async def __aenter__(self) -> Client:
        self._socket = await websockets.connect(
            self.address.replace("http", "ws", 1) + "/_stcore/stream",
            subprotocols=[websockets.Subprotocol("streamlit")],
            origin=websockets.Origin(self.address),
            compression=None,
            max_size=None,
        )
        return self

    async def __aexit__(self, *_exception: object) -> None:
        await self._socket.close()

    async def rerun(self, **values: float) -> None:
        """Ask for a run, with sliders moved; the server gets the state of all that were ever moved.

        A slider beside the picture is moved alone: the stage tells its last change, with a number.
        """
        on_stage = {
            name: value for name, value in values.items() if self.sliders[name] == self.stage
        }
        self.values |= {name: value for name, value in values.items() if name not in on_stage}
        message = BackMsg()
        message.rerun_script.page_name = self.page
        message.rerun_script.query_string = self.query
        if values:
            # As the browser does: a widget in a fragment runs no more than the fragment.
            message.rerun_script.fragment_id = self.fragments[next(iter(values))]
        for name, value in self.values.items():
            widget = message.rerun_script.widget_states.widgets.add()
            widget.id = self.sliders[name]
            widget.double_array_value.data.append(value)
        for name, value in on_stage.items():
            self.sent += 1
            changed = {"name": name, "value": f"{value:g}", "number": self.sent}
            widget = message.rerun_script.widget_states.widgets.add()
            widget.id, widget.json_value = self.stage, json.dumps({"changed": changed})
        if self.file is not None:
            widget = message.rerun_script.widget_states.widgets.add()
            widget.id = self.uploader
            info = widget.file_uploader_state_value.uploaded_file_info.add()
            info.file_id, info.name = self.file
        await self._socket.send(message.SerializeToString())

    async def receive(self) -> ForwardMsg:
        """Return the next message."""
        raw = await self._socket.recv()
        self.received += len(raw)
        message = ForwardMsg()
        message.ParseFromString(raw)
        if message.WhichOneof("type") == "page_info_changed":
            self.query = message.page_info_changed.query_string
        self.session = message.new_session.initialize.session_id or self.session
        self.uploader = message.delta.new_element.file_uploader.id or self.uploader
        slider = message.delta.new_element.slider
        if slider.id:
            name = slider.id.rsplit("-", 1)[-1]
            name = slider.label if name == "None" else name
            self.sliders[name], self.fragments[name] = slider.id, message.delta.fragment_id
        if (scene := stage(message)) is not None and not self.stage:
            self.stage = message.delta.new_element.bidi_component.id
            for control in decode(scene)["controls"]:
                if control["kind"] == "slider":
                    self.sliders[control["name"]] = self.stage
                    self.fragments[control["name"]] = message.delta.fragment_id
        return message

    async def answer(self, timeout: float = 60) -> list[ForwardMsg]:
        """Return the messages up to the end of a run."""
        messages: list[ForwardMsg] = []
        async with asyncio.timeout(timeout):
            # A page may start its script once more: such a run ends with another status.
            while not messages or not finished(messages[-1]):
                messages.append(await self.receive())
        return messages


def finished(message: ForwardMsg) -> bool:
    """Whether a message says that a run has come to its end."""
    done = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
    return message.WhichOneof("type") == "script_finished" and message.script_finished in done


def stage(message: ForwardMsg) -> bytes | None:
    """Return the encoded scene that a message brings, if it brings one."""
    component = message.delta.new_element.bidi_component
    return component.bytes if component.component_name == "dmlib.stage" else None


def text(message: ForwardMsg) -> str | None:
    """Return the text that a message brings, if it brings one."""
    return message.delta.new_element.markdown.body or None


async def ask(client: Client, **values: float) -> tuple[float, Any]:
    """Ask for a run; return the milliseconds to its end, and its messages."""
    start = asyncio.get_running_loop().time()
    await client.rerun(**values)
    messages = await client.answer()
    return 1000 * (asyncio.get_running_loop().time() - start), messages
