"""An app with one page."""
