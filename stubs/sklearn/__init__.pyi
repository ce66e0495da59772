from typing import Any

from sklearn.base import clone as clone

def __getattr__(name: str) -> Any: ...
