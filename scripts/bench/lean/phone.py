"""A phone: its profile, its clock, and what its app keeps."""
import array
import json
import re

from lean.apple import Apple
from lean.common import MOST_REVENUE, refuse

IOS = re.compile(r"[1-9]\d{0,3}(\.\d{1,4}){0,2}", re.ASCII)

# What programs write for an identifier that there is not.
NOTHING = {"null", "(null)", "nil", "none", "undefined"}


class Window:
    """What a phone keeps of a window, and the endpoint of it: how often the model's events were seen."""

    __slots__ = ("coarse", "previous_coarse", "lock", "iap", "ads", "seen")

    def __init__(self):
        self.coarse = self.previous_coarse = self.lock = self.iap = self.ads = self.seen = None


class Phone:
    __slots__ = ("begin", "is_timed", "end", "has_idfv", "is_refused", "is_known", "apple", "gives_coarse", "registers", "first",
                 "last", "fine", "previous_fine", "windows", "iap", "ads", "holds_lock")

    def __init__(self, step, end):
        """A fresh install; `end` is that of the step before it."""
        for key, check in PROFILE.items():
            if key in step and not check(step[key]):
                refuse(f"{key} is {json.dumps(step[key])}")
        get = step.get
        ios = tuple(map(int, get("ios", "17.4").split(".")))
        bundle, app, idfv, idfa = get("bundle_id", "a"), get("app_version", "1"), get("idfv", "derived"), get("idfa")
        self.registers = ios >= (15, 4)
        # Whether Apple's call takes a coarse value and a lock.
        self.gives_coarse = ios >= (16, 1)
        self.apple = Apple(None if "ad" in step else 4 if self.gives_coarse else 3)
        self.has_idfv = bool(idfv)
        # Whether the endpoint does not take what is the same in every request.
        self.is_refused = (not (0 < len(bundle) <= 255 and app and idfv and len(idfv) <= 255) or idfa == ""
                           or any(id and id.lower() in NOTHING for id in (idfa, idfv)))
        # Whether the endpoint has answered with values: then not all is looked at again.
        self.is_known = False
        # The clock: the first step with a time, and the end of the last step.
        self.begin = None
        self.is_timed = False
        self.end = end
        self.first = self.last = 0
        self.fine = self.previous_fine = None
        self.windows = (Window(), Window(), Window())
        self.iap = self.ads = None
        self.holds_lock = False

    def record_first(self, step, now):
        """Until a step had a time, the clock's beginning is still to be found. Returns whether it went back."""
        went_back = self.begin is not None and now < self.end
        at = step.get("at")
        if at is not None or "after" in step:
            if type(at) is not str or at[0] != "+":
                self.begin = now
            elif self.begin is None:
                self.begin = self.end
            self.is_timed = True
        elif step["op"] == "device":
            # An install without a time leaves the clock to the first step that follows.
            return False
        elif self.begin is None:
            self.begin = now
        self.end = now
        return went_back

    def keep(self, fine, coarse, locks, place, now):
        """What the snippet keeps of an answer in the window at a place. Returns whether anything is another than before."""
        is_changed = self.last != now
        self.last = now
        if place == 0:
            old = self.fine
            if old != fine or self.previous_fine != old:
                is_changed = True
                self.previous_fine, self.fine = old, fine
        window = self.windows[place]
        old = window.coarse
        if old != coarse or window.previous_coarse != old:
            is_changed = True
            window.previous_coarse, window.coarse = old, coarse
        if locks and window.lock != now:
            is_changed = True
            window.lock = now
        return is_changed

    def details(self):
        found = {}
        for name, value in (("skan_current_conversion_value", self.fine), ("prev_fine_value", self.previous_fine),
                            ("skan_first_call_to_skadnetwork_timestamp", self.first or None),
                            ("skan_last_call_to_skadnetwork_timestamp", self.last or None)):
            if value is not None:
                found[name] = str(value)
        for place, window in enumerate(self.windows):
            for name, value in (("coarse", window.coarse), ("prev_coarse_value", window.previous_coarse),
                                ("window_lock", window.lock)):
                if value is not None:
                    found[f"p{place}_{name}"] = str(value)
            for name, table in (("total_iap_revenue", window.iap), ("total_admon_revenue", window.ads)):
                if table is not None:
                    found[f"p{place}_{name}"] = table
        for name, table in (("skan_total_revenue_by_currency", self.iap),
                            ("skan_total_admon_revenue_by_currency", self.ads)):
            if table is not None:
                found[name] = table
        return found


def is_text(value):
    return type(value) is str


PROFILE = {
    "snippet": lambda value: value == "skan4",
    "ios": lambda value: type(value) is str and IOS.fullmatch(value),
    "bundle_id": is_text,
    "app_version": is_text,
    "idfv": lambda value: value is None or type(value) is str,
    "idfa": lambda value: value is None or type(value) is str,
    "build": lambda value: value == "appstore",
    "ad": lambda value: value is False,
    "clock": lambda value: value == "production",
    "seed": lambda value: type(value) is int,
}


SINGLE = array.array("f", [0.0])


def add(table, currency, amount):
    """The table with an amount added in single precision, sorted by currency: a sum of fractions depends on the order."""
    single = SINGLE
    single[0] = amount
    if table is not None and currency in table:
        single[0] = total = table[currency] + single[0]
        table[currency] = single[0]
    else:
        if "+" in currency:
            refuse("a currency with a + is not of this program")
        total = single[0]
        table = dict(sorted([*(table or {}).items(), (currency, total)]))
    if not -MOST_REVENUE < total < MOST_REVENUE:
        refuse("the sum is too large for this program")
    return table
