"""Measurements and learning curves in SVG."""
