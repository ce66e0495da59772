"""Rooms: a class follows one page and answers on its picture (docs/decisions/0041).

:mod:`rooms.room` has the state of a room and its transitions, :mod:`rooms.store` and
:mod:`rooms.redis_store` where it is, :mod:`rooms.rooms` what a teacher and a phone may do,
:mod:`rooms.events` what they hear of it, and :mod:`rooms.routes` the addresses. Nothing here knows
Streamlit, and nothing is written to a disk or a log.
"""
