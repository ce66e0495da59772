"""The static edition: every page as a folder of files that plays without a server.

docs/decisions/0042 says why.
"""
