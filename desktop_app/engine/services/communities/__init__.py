"""Communities of a library: kept in step with its graph, named, reported on and read."""

from .reading import CommunityReading
from .refreshing import are_fresh, refresh_communities
from .reporting import Reporting, ReportProgress

__all__ = [
    "CommunityReading",
    "ReportProgress",
    "Reporting",
    "are_fresh",
    "refresh_communities",
]
