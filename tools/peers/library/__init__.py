"""Checks against clients and servers that are not ours."""
