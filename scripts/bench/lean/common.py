"""What all parts of the baseline know."""
DAY = 86400
P0_END, P1_END, P2_END = 2 * DAY, 7 * DAY, 35 * DAY
# Where a list without any time begins, and between what times a list may be.
START, EARLIEST, LATEST = 1767225600, 36 * DAY, 253402300800
MOST_REVENUE = 1e17


class Refused(Exception):
    """A line that is wrong, or not of this program."""


class EndpointError(Exception):
    """The endpoint answers with this reason."""


def refuse(message):
    raise Refused(message)
