"""Apriori, AprioriTid and AIS."""
