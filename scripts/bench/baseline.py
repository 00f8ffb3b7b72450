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
import json
import sys

# Nothing is left beside the sources.
sys.dont_write_bytecode = True

from lean.apple import FINE_IGNORED
from lean.common import EARLIEST, LATEST, MOST_REVENUE, P0_END, P1_END, P2_END, START, EndpointError, Refused, refuse
from lean.model import answer, read_model
from lean.phone import Phone, add
from lean.time import moment

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
NOTES = {"dropped-window-over", "odd-currency", "details-stale", "coarse-cleared", "revenue-outside-windows", "clock-went-back",
         "odd-profile", "organic-install", "windows-differ", "ignored-by-apple", "fine-ignored"}


def replay(lines, model):
    """Runs a list. Returns the phones, how often each outcome and each warning came, and steps with findings."""
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
                    elif not (len(currency) == 3 and currency.isascii() and currency.isalpha() and currency.isupper()):
                        found += ("odd-currency",)
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
                found += ("odd-profile",) * sum(step.get(key) == "" for key in ("app_version", "bundle_id"))
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
