"""What Apple's framework holds of an install."""
from lean.common import DAY, P0_END, P1_END, P2_END

# Of nearly every update after the first window.
FINE_IGNORED = ("fine-ignored",)


class Held:
    """What Apple holds of a window."""

    __slots__ = ("is_updated", "is_fine_only", "fine", "coarse", "locked_at")

    def __init__(self):
        self.is_updated = self.is_fine_only = False
        self.fine = self.coarse = self.locked_at = None

    def state(self):
        found = {"updated": True} if self.is_updated else {}
        if self.is_fine_only:
            found["fine_only"] = True
        if self.fine is not None:
            found["fine"] = self.fine
        if self.coarse is not None:
            found["coarse"] = ("low", "medium", "high")[self.coarse]
        if self.locked_at is not None:
            found["locked_at"] = self.locked_at
        return found


class Apple:
    """What Apple's framework knows of an install."""

    __slots__ = ("version", "first_launch", "first_update", "latest_call", "timer_start", "held")

    def __init__(self, version):
        # None without an ad.
        self.version = version
        self.first_launch = self.first_update = self.latest_call = self.timer_start = None
        self.held = (Held(), Held(), Held())

    def take(self, fine, coarse, locks, place, now, is_fine_only):
        """Takes a call of an app that believes to be in the window at a place. Returns warnings."""
        if self.version is None:
            return "organic-install",
        if self.latest_call is not None and now < self.latest_call:
            now = self.latest_call
        self.latest_call = now
        first = self.first_update
        if first is None:
            first = self.first_update = now
        if self.version != 4:
            return self.take_by_timer(fine, place, now)
        since = now - first
        if since >= P2_END:
            return "ignored-by-apple",
        taken = 0 if since < P0_END else 1 if since < P1_END else 2
        held = self.held[taken]
        if held.locked_at is not None:
            return "ignored-after-lock",
        if is_fine_only:
            # The first call of all: every other of an ad of version 4 has a coarse value and a lock to give.
            held.is_updated = held.is_fine_only = True
        else:
            held.is_updated = True
            held.is_fine_only = False
        if taken == 0:
            held.fine = fine
        held.coarse = coarse
        if locks:
            held.locked_at = now
        found = () if taken == 0 else FINE_IGNORED
        return found if taken == place else (*found, "windows-differ")

    def take_by_timer(self, fine, place, now):
        """One value that only goes upwards, until a day has passed without a higher one."""
        held = self.held[0]
        if self.timer_start is None:
            held.is_updated = True
        elif now >= self.timer_start + DAY or fine <= held.fine:
            return "ignored-by-apple",
        held.fine = fine
        self.timer_start = now
        return () if place == 0 else ("windows-differ",)

    def state(self):
        found = {name: value for name in ("first_launch", "first_update", "latest_call", "timer_start")
                 if (value := getattr(self, name)) is not None}
        if self.first_update is not None:
            found["version"] = f"{self.version}.0"
        return found | {f"p{place}": state for place, held in enumerate(self.held) if (state := held.state())}
