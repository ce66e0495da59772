from .impurity import impurity
from .steps import DecisionTreeStep

__all__ = ["DecisionTreeStep", "impurity"]
