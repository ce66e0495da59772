"""AdaBoost, and gradient boosting beside it."""
