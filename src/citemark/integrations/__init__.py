"""Bridges to web servers and template engines: one module for each, to be imported by name."""
