"""The fastest answer of Streamlit: the bare app in a process that is settled as ours is."""

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st


@asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[None]:
    """Take what is imported out of all later collections."""
    gc.collect()
    gc.freeze()
    yield


app = st.App(Path(__file__).with_name("bare.py"), lifespan=lifespan)
