"""Dual Digits: its rules, its words and its page."""
