"""The tasks of Inspect, which finds them here: zerosum/decisions and zerosum/matches."""

from zerosum.lab.models.inspect.decisions import decisions as decisions
from zerosum.lab.models.inspect.matches import matches as matches

__all__ = ["decisions", "matches"]
