"""Times of steps that are not just whole seconds."""
import datetime
import json
import re

from lean.common import refuse

SPAN = re.compile(r"(\d+(?:\.\d+)?)(ms|[smhd])", re.ASCII)
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII)
UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}


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
        micros = round(phone.end * 1e6) + after(step["after"])
    else:
        return phone.end
    return micros // 1000000 if micros % 1000000 == 0 else micros / 1e6


def after(value):
    """A duration as a text, or seconds."""
    if type(value) in (int, float) and value >= 0:
        return round(value * 1e6)
    return span(value)


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
