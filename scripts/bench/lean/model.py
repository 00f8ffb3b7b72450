"""A conversion model, and the endpoint that answers by it."""
import json
import re

from lean.common import LATEST, EndpointError


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
        self.standing = self.coarse_by_fine()

    def coarse_by_fine(self):
        """What each fine value stands for: the highest coarse value that holds whenever it does, or -1."""
        standing = {}
        for rule in self.fine:
            value, fine = rule[0], self.ranges(rule)
            if all(least < end for least, end in fine.values()):
                coarse = next((high[0] for high in self.coarse[0] if self.holds_with(self.ranges(high), fine)), -1)
                standing[value] = min(coarse, standing.get(value, coarse))
        return [standing.get(value, -1) for value in range(64)]

    def ranges(self, rule):
        _, first_hour, end_hour, conditions = rule
        ranges = {"hours": (max(first_hour, 0), min(end_hour, 48, self.hours or 48))}
        for place, least, end in conditions:
            old = ranges.get(place, (-float("inf"), float("inf")))
            ranges[place] = max(old[0], least), min(old[1], end)
        return ranges

    @staticmethod
    def holds_with(asked, given):
        everything = (-float("inf"), float("inf"))
        return all(least <= given.get(place, everything)[0] and given.get(place, everything)[1] <= end
                   for place, (least, end) in asked.items())

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

    def verdict(self, name, window, hours, fine, stated, counts, iap, ads):
        """The next fine value, coarse value (or None) and lock of a phone that has these values and this revenue."""
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
            had = self.standing[fine]
            fine = highest(self.fine, fine, hours, amounts) or fine
        else:
            had = -1 if stated is None else stated
        coarse = highest(self.coarse[window], had, hours, amounts)
        if coarse is None and had >= 0:
            coarse = had
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
    if not 0 < first < LATEST or not 0 < last < LATEST:
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
    values = model.verdict(name, place, int((now - first) / 3600), fine, window.coarse, seen, iap, ads)
    phone.is_known = True
    return values


def in_camel_case(members):
    """An object of a model, whose keys may be in either case."""
    return {re.sub("_([a-z])", lambda match: match[1].upper(), key): value for key, value in members.items()}


def read_model(model, rates):
    with open(model, encoding="utf-8") as file:
        schema = json.load(file, object_hook=in_camel_case)
    with open(rates, encoding="utf-8") as file:
        return Model(schema, json.load(file))
