#!/usr/bin/env python3
"""The same replay as `skan replay --quiet --model MODEL --rates RATES LIST`, as a lean Python program: what the ratio of
the benchmark is measured against.

    baseline.py LIST MODEL RATES            prints how often each outcome came, each warning, and steps with findings
    baseline.py --states LIST MODEL RATES   prints the last details of each phone, and what Apple holds of it, as JSON Lines
                                            sorted by phone

What it does as skan does it, which a test holds against skan's own results:
- every line: JSON, a known op, no key that the op does not have, each value of its type, a phone that was declared;
  else the program ends with the line's number and the reason
- the phone's clock: `at` as Unix seconds, ISO 8601 or "+2d3h", `after`, neither; going back is noticed
- the request's parameters as the reference endpoint checks them, measurement hours, the event counts, the model's verdict
  with revenue converted by the rates, and their errors
- the answer through the snippet's checks, its lock, the values kept for each window, revenue in single precision
- Apple's framework: what it holds of each window, locks, and versions up to 3, which older systems are treated as
- the warnings of each step

What it leaves out:
- what no answer of a model brings about: values of odd types, crashes, and with them reading the store before a request
- explanations: skan puts them down for each step, though with --quiet as data without words
- of lists: `details`, `relaunch`, `update`, `postbacks`, `include`, `label`, `skip`, `expect`, given answers, variables, ads
  other than the default and none, builds and clocks other than the default, settings of Apple's, SKAN 3 and the beta, times before 1970-02-06, a `+` in a currency, sums of 1e17 and more. All of
  these are refused, but for duplicate keys and halves of surrogate pairs, for which it does not look
- of models: looking for mistakes
"""
import array
import datetime
import json
import re
import sys

DAY = 86400
P0_END, P1_END, P2_END = 2 * DAY, 7 * DAY, 35 * DAY
# Where a list without any time begins, and between what times a list may be.
START, EARLIEST, LATEST = 1767225600, 36 * DAY, 253402300800
MOST_REVENUE = 1e17
SESSION = "__SESSION__"

COMMON = {"op", "at", "after", "device"}
KEYS = {
    "device": frozenset(COMMON | {"snippet", "ios", "bundle_id", "app_version", "idfv", "idfa", "build", "ad", "clock",
                                  "seed"}),
    "register": frozenset(COMMON),
    "session": frozenset(COMMON),
    "event": frozenset(COMMON | {"name"}),
    "revenue": frozenset(COMMON | {"amount", "currency", "ad_monetization"}),
}
OUTCOMES = ("registered", "already-registered", "updated", "server-error", "illegal-values", "window-over",
   "not-registered", "blocked", "ios-too-old", "added", "ignored", "set")
NOTES = {"dropped-window-over", "details-stale", "coarse-cleared", "revenue-outside-windows", "clock-went-back",
         "organic-install", "windows-differ", "ignored-by-apple", "fine-ignored"}

# Of nearly every update after the first window.
FINE_IGNORED = ("fine-ignored",)

IOS = re.compile(r"[1-9]\d{0,3}(\.\d{1,4}){0,2}", re.ASCII)
SPAN = re.compile(r"(\d+(?:\.\d+)?)(ms|[smhd])", re.ASCII)
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII)
UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}


class Refused(Exception):
    """A line that is wrong, or not of this program."""


class EndpointError(Exception):
    """The endpoint answers with this reason."""


def refuse(message):
    raise Refused(message)


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
        self.is_refused = not (0 < len(bundle) <= 255 and app and idfv and len(idfv) <= 255) or idfa in ("", "NULL")
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


class Model:
    """A conversion model made ready: its values from the highest down, each with its hours and conditions. A condition is
    the place of an amount and the range that it must be in, the end not among it. The amounts are the counts of all
    events, and behind them the window's revenue, by kind and currency."""

    def __init__(self, schema, rates):
        schema = schema.get("schema", schema)
        self.rates = rates
        self.hours = int(schema.get("measurementWindowHours") or 0) or None
        postbacks = [{}, {}, {}]
        for postback in schema.get("postbackMappings", []):
            postbacks[int(postback.get("postbackSequenceIndex", 0))] = postback
        ladders = [[(value, ladder[f"{name}ConversionValueMapping"])
                    for value, name in ((2, "high"), (1, "medium"), (0, "low")) if f"{name}ConversionValueMapping" in ladder]
                   for ladder in (postback.get("coarseGrainedConversionValueMappings", {}) for postback in postbacks)]
        fine = [(int(mapping.get("fineGrainedConversionValue", 0)), mapping.get("conversionValueMapping", {}))
                for mapping in schema.get("fineGrainedConversionValueMappings", [])]
        fine.sort(key=lambda pair: -pair[0])

        mappings = [mapping for pairs in [fine, *ladders] for _, mapping in pairs]
        names = {event["mappedEventName"] for mapping in mappings for event in mapping.get("mappedEvents", [])}
        names |= {postback["lockWindowEvent"] for postback in postbacks if "lockWindowEvent" in postback}
        self.places = {name: place for place, name in enumerate(sorted(names - REVENUE_NAMES.keys()))}
        # What of revenue each window's mappings ask for.
        self.revenues = [[], [], []]
        self.fine = self.rules(fine, 0)
        self.coarse = [self.rules(ladder, window) for window, ladder in enumerate(ladders)]
        self.locks = [self.lock(postback) for postback in postbacks]

    def rules(self, pairs, window):
        return [(value, int(mapping.get("minTimePostInstallHours") or 0) or -LATEST,
                 int(mapping.get("maxTimePostInstallHours") or 0) or LATEST,
                 [condition for event in mapping.get("mappedEvents", []) for condition in self.conditions(event, window)])
                for value, mapping in pairs]

    def conditions(self, event, window):
        name = event["mappedEventName"]
        if name not in REVENUE_NAMES:
            times = event.get("eventOccurrenceRange", {})
            least, most = int(times.get("minEventCount") or 0) or 1, int(times.get("maxEventCount") or 0)
            if int(event.get("eventCounter") or 0):
                least = most = int(event["eventCounter"])
            yield self.places[name], least, most + 1 if most else float("inf")
        amounts = event.get("eventRevenueRange", {})
        value = event.get("eventRevenueValue")
        if name in REVENUE_NAMES or amounts or value:
            quantity = (REVENUE_NAMES.get(name, "all"), event.get("currencyCode") or "USD")
            asked = self.revenues[window]
            if quantity not in asked:
                asked.append(quantity)
            # Without a condition any revenue at all.
            least = amounts.get("minEventRevenue", 0) if amounts else value or 5e-324
            yield len(self.places) + asked.index(quantity), least, amounts.get("maxEventRevenue") or float("inf")

    def lock(self, postback):
        if "lockWindowCoarseConversionValue" in postback:
            return "coarse", ("LOW", "MEDIUM", "HIGH").index(postback["lockWindowCoarseConversionValue"])
        if "lockWindowFineConversionValue" in postback:
            return "fine", int(postback["lockWindowFineConversionValue"])
        return ("event", self.places[postback["lockWindowEvent"]]) if "lockWindowEvent" in postback else None

    def verdict(self, name, window, hours, fine, counts, iap, ads):
        """The next fine value, coarse value (or None) and lock of a phone that has this fine value and revenue."""
        place = self.places.get(name)
        if place is not None:
            counts[place] += 1
        amounts = counts
        if self.revenues[window]:
            try:
                amounts = counts + [self.revenue(kind, currency, iap, ads) for kind, currency in self.revenues[window]]
            except EndpointError:
                if place is not None:
                    counts[place] -= 1
                raise
        if window == 0:
            fine = highest(self.fine, fine, hours, amounts) or fine
        coarse = highest(self.coarse[window], -1, hours, amounts)
        lock = self.locks[window]
        if lock is None:
            return fine, coarse, False
        kind, value = lock
        return fine, coarse, (fine >= value if kind == "fine" else place == value if kind == "event" else
                              coarse is not None and coarse >= value)

    def revenue(self, kind, currency, iap, ads):
        amount = 0.0
        if iap is not None and kind != "ads":
            amount = self.total(iap, currency)
        if ads is not None and kind != "iap":
            amount += self.total(ads, currency)
        return amount

    def total(self, table, target):
        total = 0.0
        for currency, amount in table.items():
            if amount:
                if currency == target:
                    total += amount
                else:
                    units = self.rates.get(target)
                    rate = self.rates.get(currency) or (1 if currency == "USD" and units else None)
                    if rate is None:
                        raise EndpointError(f"Conversion Management: Can't find owner currency: {currency}")
                    total += amount / rate * (units or 1)
        return total


REVENUE_NAMES = {"__REVENUE__": "all", "__IAP_REVENUE__": "iap", "__ADMON_REVENUE__": "ads"}


def highest(rules, above, hours, amounts):
    """The highest value above one whose mapping holds, or None."""
    for value, first_hour, end_hour, conditions in rules:
        if value <= above:
            return None
        if first_hour <= hours < end_hour:
            for place, least, end in conditions:
                if not least <= amounts[place] < end:
                    break
            else:
                return value
    return None


def bad(parameter):
    raise EndpointError(f"Conversion Management: Invalid parameter {parameter} given")


def answer(model, phone, name, place, now, seconds):
    """What the reference endpoint says to a phone's request: a fine value, a coarse one or None, and whether to lock."""
    if phone.is_refused:
        bad("i, app_v, idfv or idfa")
    if not 0 < len(name) <= 32 or not name.isascii():
        bad("n")
    first, last, fine = phone.first, phone.last, phone.fine
    if not 0 <= fine <= 63:
        bad("skan_current_conversion_value")
    if not phone.is_known:
        for window in phone.windows:
            for value, end in ((window.coarse, 3), (window.previous_coarse, 3), (window.lock, LATEST)):
                if value is not None and not 0 <= value < end:
                    bad("p_coarse, p_prev_coarse_value or p_window_lock")
    if not 0 <= first < LATEST or not 0 <= last < LATEST:
        bad("timestamp")
    if last < first:
        raise EndpointError(f"Invalid measurement period: {int((last - first) / 3600)}")
    if model.hours is not None and (seconds - first) / 3600 >= model.hours:
        raise EndpointError(f"Invalid measurement period: {int((seconds - first) / 3600)}")
    window = phone.windows[place]
    iap, ads, seen = window.iap, window.ads, window.seen
    if place == 0:
        # Without an entry of the window's own the total, which is the same in the first window.
        if iap is None:
            iap = phone.iap
        if ads is None:
            ads = phone.ads
    if seen is None:
        seen = window.seen = [0] * len(model.places)
    values = model.verdict(name, place, int((now - first) / 3600), fine, seen, iap, ads)
    phone.is_known = True
    return values


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


def moment(step, phone):
    """When a step happens whose time is not just whole seconds."""
    if "at" in step:
        at = step["at"]
        if "after" in step:
            refuse("a step has at or after, not both")
        if type(at) is float:
            whole = int(at)
            # Never across a second: the phone cuts fractions off.
            micros = whole * 1000000 + max(min(round((at - whole) * 1e6), 999999), -999999)
        elif type(at) is str and at[:1] == "+":
            micros = round((phone.end if phone.begin is None else phone.begin) * 1e6) + span(at[1:])
        elif type(at) is str and INSTANT.fullmatch(at):
            micros = instant(at)
        else:
            refuse(f"at is {json.dumps(at)}")
    elif "after" in step:
        micros = round(phone.end * 1e6) + span(step["after"])
    else:
        return phone.end
    return micros // 1000000 if micros % 1000000 == 0 else micros / 1e6


def instant(text):
    text, _, fraction = text.replace("Z", "+00:00").partition(".")
    # Python reads three or six digits of a fraction only.
    digits = re.match(r"\d*", fraction).group()
    try:
        whole = datetime.datetime.fromisoformat(text + fraction[len(digits):])
    except ValueError as error:
        refuse(f"at is no time: {error}")
    return int(whole.timestamp()) * 1000000 + int(digits[:6].ljust(6, "0"))


def span(text):
    parts = SPAN.findall(text) if type(text) is str else []
    if not parts or "".join(number + unit for number, unit in parts) != text:
        refuse(f"not a duration: {json.dumps(text)}")
    return round(sum(float(number) * UNITS[unit] for number, unit in parts) * 1e6)


def replay(lines, model):
    """Lives a list. Returns the phones, how often each outcome and each warning came, and steps with findings."""
    phones = {}
    outcomes = dict.fromkeys(OUTCOMES, 0)
    warnings = {}
    stale = ignored = findings = 0
    decode = json.JSONDecoder(parse_constant=lambda name: refuse(f"{name} is not JSON")).raw_decode
    for number, line in enumerate(lines, 1):
        try:
            if line[0] != "{":
                line = line.lstrip(" \t\r\n")
                if not line or line[0] == "#":
                    continue
            step, end = decode(line)
            if end + 1 != len(line) and line[end:].strip(" \t\r\n") or type(step) is not dict:
                refuse("not one object")
            op = step.get("op")
            if type(op) is not str or op not in KEYS:
                refuse(f"there is no op {json.dumps(op)}")
            if not KEYS[op].issuperset(step):
                refuse(f"op {op} has no such key: {', '.join(step.keys() - KEYS[op])}")
            name = step.get("device", "")
            if type(name) is not str:
                refuse("device is no string")
            phone = phones.get(name)
            if op == "device":
                phone = phones[name] = Phone(step, phone.end if phone else START)
            elif phone is None:
                refuse(f"no device step declares {name}")

            at = step.get("at")
            if type(at) is int and "after" not in step:
                now = seconds = at
            else:
                now = moment(step, phone)
                seconds = int(now)
            if not EARLIEST <= now < LATEST:
                refuse("the time is out of range")
            # The step's warnings but for details-stale.
            found = ()
            if phone.is_timed:
                if now < phone.end:
                    found = ("clock-went-back",)
                phone.end = now
            elif phone.record_first(step, now):
                found = ("clock-went-back",)

            if op != "device" and phone.apple.first_launch is None:
                phone.apple.first_launch = now

            if op == "session" or op == "event":
                if op == "session":
                    event = SESSION
                else:
                    event = step.get("name")
                    if type(event) is not str:
                        refuse("name is no string")
                    if not 0 < len(event) <= 32 or not event.isascii() or "+" in event:
                        found += about(event)
                        # A server reads a space.
                        event = event.replace("+", " ")
                since = seconds - phone.first
                place = 0 if since < P0_END else 1 if since < P1_END else 2 if since < P2_END else -1
                if place < 0:
                    if phone.first:
                        outcome = "window-over"
                        found += ("dropped-window-over",)
                    else:
                        outcome = "not-registered"
                        found += ("dropped-unregistered",)
                elif phone.holds_lock:
                    outcome = "blocked"
                    found += ("blocked",)
                else:
                    if not phone.has_idfv:
                        found += ("idfv-missing",)
                    try:
                        fine, coarse, locks = answer(model, phone, event, place, now, seconds)
                    except EndpointError:
                        outcome = "server-error"
                    else:
                        if not 0 <= fine <= 63 or coarse is not None and not 0 <= coarse <= 2:
                            outcome = "illegal-values"
                            phone.holds_lock = True
                            found += ("lock-leaked",)
                        else:
                            outcome = "updated"
                            if phone.gives_coarse:
                                warned = phone.apple.take(fine, coarse, locks, place, now, False)
                            else:
                                warned = phone.apple.take(fine, None, False, place, now, True)
                            if warned is FINE_IGNORED:
                                ignored += 1
                            elif warned:
                                found += warned
                            if coarse is None and phone.windows[place].coarse is not None:
                                found += ("coarse-cleared",)
                            if phone.keep(fine, coarse, locks, place, seconds):
                                stale += 1
            elif op == "revenue":
                amount, currency, is_ad = step.get("amount"), step.get("currency", 0), step.get("ad_monetization", False)
                if type(amount) is not float and type(amount) is not int or not -MOST_REVENUE < amount < MOST_REVENUE:
                    refuse("amount is missing, no number, or too large for this program")
                if type(currency) is not str and currency is not None:
                    refuse("currency is missing or no string")
                if type(is_ad) is not bool:
                    refuse("ad_monetization is neither true nor false")
                if amount == 0 or currency is None:
                    outcome = "ignored"
                else:
                    since = seconds - phone.first
                    place = 0 if since < P0_END else 1 if since < P1_END else 2 if since < P2_END else -1
                    # The life-long total, and where a window is open its own.
                    for kept in (phone, phone.windows[place]) if place >= 0 else (phone,):
                        if is_ad:
                            kept.ads = add(kept.ads, currency, amount)
                        else:
                            kept.iap = add(kept.iap, currency, amount)
                    if place < 0:
                        found += ("revenue-outside-windows",)
                    if not currency:
                        found += ("empty-currency",)
                    outcome = "added"
            elif op == "register":
                if phone.first:
                    outcome = "already-registered"
                elif not phone.registers:
                    outcome = "ios-too-old"
                else:
                    outcome = "registered"
                    phone.first = seconds
                    found += phone.apple.take(0, None, False, 0, now, True)
                    phone.keep(0, None, False, 0, seconds)
            else:
                outcome = "set"
            outcomes[outcome] += 1
            if found:
                for code in found:
                    warnings[code] = warnings.get(code, 0) + 1
                if not NOTES.issuperset(found):
                    findings += 1
        except (Refused, json.JSONDecodeError) as error:
            sys.exit(f"baseline: line {number}: {error}")
    if stale:
        warnings["details-stale"] = stale
    if ignored:
        warnings["fine-ignored"] = warnings.get("fine-ignored", 0) + ignored
    return phones, {outcome: count for outcome, count in outcomes.items() if count}, warnings, findings


def about(event):
    """The warnings about an event's name."""
    codes = (("empty-name", not event), ("name-too-long", len(event) > 32), ("name-not-ascii", not event.isascii()),
             ("plus-in-name", "+" in event))
    return tuple(code for code, is_so in codes if is_so)


def in_camel_case(members):
    """An object of a model, whose keys may be in either case."""
    return {re.sub("_([a-z])", lambda match: match[1].upper(), key): value for key, value in members.items()}


def read_model(model, rates):
    with open(model, encoding="utf-8") as file:
        schema = json.load(file, object_hook=in_camel_case)
    with open(rates, encoding="utf-8") as file:
        return Model(schema, json.load(file))


def main():
    arguments = sys.argv[1:]
    shows_states = arguments[:1] == ["--states"]
    path, model, rates = arguments[shows_states:]
    with open(path, encoding="utf-8", newline="\n") as file:
        phones, outcomes, warnings, findings = replay(file, read_model(model, rates))
    if shows_states:
        for name in sorted(phones):
            print(json.dumps({"device": name, "details": phones[name].details(), "apple": phones[name].apple.state()}))
    else:
        print(json.dumps({"outcomes": outcomes, "warnings": warnings, "findings": findings}, sort_keys=True))


if __name__ == "__main__":
    main()
