"""The commands, and what each may leave."""
import json
import os
import re
import shutil
import sys
import tempfile
import xml.etree.ElementTree

from shared import FIXTURES, MODEL
from trials.run import run

STATE = "skan-state.json"
LIST = "".join(json.dumps(step) + "\n" for step in [
    {"op": "revenue", "amount": 3, "currency": "USD", "after": "1h"},
    {"op": "event", "name": "purchase", "after": "1h"}, {"op": "session", "after": "1h"},
])


def is_whole(name, text):
    """Whether a report is one that can be read to its end."""
    try:
        if name.endswith(".json"):
            json.loads(text)
        if name.endswith(".xml"):
            xml.etree.ElementTree.fromstring(text)
    except (ValueError, xml.etree.ElementTree.ParseError):
        return False
    endings = {".html": "</html>\n", ".tap": "\n", ".md": "\n", ".json": "\n", ".xml": ">\n"}
    return text.endswith(endings[os.path.splitext(name)[1]])


class Scenario:
    """A command, and its files before it, after it, and after it was run twice."""

    def __init__(self, name, arguments, outputs, before=(), files=None, writes=True):
        self.name, self.arguments, self.outputs = name, arguments, outputs
        self.before, self.given, self.writes = before, files or {}, writes

    def prepare(self, skan, folder):
        self.skan, self.folder = skan, os.path.join(folder, self.name.replace(" ", "-"))
        os.mkdir(self.folder)
        for name, text in self.given.items():
            path = os.path.join(self.folder, name)
            if text is None:
                os.symlink(STATE, path)
            else:
                with open(path, "w") as file:
                    file.write(text)
        for arguments in self.before:
            result = run([skan, *arguments], self.folder)
            if result.code != 0:
                sys.exit(f"torture: {self.name}: {arguments} ends with {result.code}: {result.errors}")
        self.old = self.contents(self.folder)
        copy = self.copy(folder)
        self.new, code = self.reference(copy)
        if code != 0:
            sys.exit(f"torture: {self.name} ends with {code}")
        # The second time it may be refused: a phone is there already.
        self.twice, self.second = self.reference(copy)
        shutil.rmtree(copy)
        for contents in (self.old, self.new):
            problems = self.unreadable(contents, folder)
            if problems:
                sys.exit(f"torture: {self.name}: {problems}")

    def reference(self, copy):
        result = run(self.command, copy)
        self.listing = sorted(os.listdir(copy))
        return self.contents(copy), result.code

    @property
    def command(self):
        return [self.skan, *self.arguments]

    def copy(self, folder):
        copy = tempfile.mkdtemp(dir=folder)
        shutil.copytree(self.folder, copy, symlinks=True, dirs_exist_ok=True)
        return copy

    def contents(self, folder):
        """The files that the command writes; None where there is none. Times of the real world are left out."""
        contents = {}
        for name in self.outputs:
            path = os.path.join(folder, name)
            contents[name] = None
            if os.path.exists(path):
                with open(path, "rb") as file:
                    contents[name] = re.sub(rb' (time|timestamp)="[^"]*"', b"", file.read())
        return contents

    def unreadable(self, contents, folder):
        """Whether a program can read them: of the files before and after, with which all others are compared."""
        for name, content in contents.items():
            if content is None:
                continue
            if name == STATE:
                copy = tempfile.mkdtemp(dir=folder)
                with open(os.path.join(copy, STATE), "wb") as file:
                    file.write(content)
                for command in (["details"], ["history"]):
                    if run([self.skan, *command], copy).code != 0:
                        return f"{command} cannot read {name}"
                shutil.rmtree(copy)
            elif name.endswith(".jsonl"):
                for line in content.splitlines():
                    json.loads(line)
            elif name.endswith(".json"):
                json.loads(content)
        return None

    def is_between(self, name, content, has_failed=False):
        """Whether it is the file before, after, of deliveries with some of them, or the report of a run that failed."""
        if content in (self.old[name], self.new[name]):
            return True
        if content is None:
            return False
        if has_failed and name.startswith("report."):
            return is_whole(name, content.decode(errors="replace"))
        return self.name == "deliveries" and self.deliveries(content) is not None

    def deliveries(self, content):
        """How often each recipient has accepted, when nothing else differs."""
        try:
            new, found = json.loads(self.new[STATE]), json.loads(content)
        except ValueError:
            return None
        wanted = [(each["recipient"], each["transaction_id"]) for each in new["deliveries"]]
        attempts = [(each["recipient"], each["transaction_id"]) for each in found["deliveries"]]
        if dict(new, deliveries=0) != dict(found, deliveries=0) or not set(attempts) <= set(wanted):
            return None
        return [sum(attempt == each and delivery.get("status") == 200 for attempt, delivery in zip(attempts, found["deliveries"]))
                for each in wanted]

    def check(self, folder, result, was_killed=False, must_fail=False, must_pass=False, may_leave=False, locks=False):
        """What is wrong after one hindered run."""
        problems = []
        found = self.contents(folder)
        for name, content in found.items():
            if not self.is_between(name, content, not was_killed and result.code not in (0, "hangs")):
                size = "no file" if content is None else f"{len(content)} bytes"
                problems.append(f"{name} is neither old nor new ({size})")
        isNew = found == self.new
        if not was_killed:
            what = f"exit code {result.code}, {result.errors.strip()[:200]!r}"
            if result.code == 0:
                if not isNew:
                    problems.append(f"it claims success, and nothing is saved ({what})")
                if must_fail:
                    problems.append(f"it hides the error ({what})")
            else:
                if must_pass:
                    problems.append(f"it fails ({what})")
                if result.code not in (66, 73):
                    problems.append(f"another exit code ({what})")
                if "skan: cannot " not in result.errors:
                    problems.append(f"no message ({what})")
                state = found.get(STATE)
                # A delivery is repeated only where it has not been accepted.
                if state is not None and state == self.new[STATE] != self.old[STATE] and self.name != "deliveries":
                    if "would be done twice" not in result.errors:
                        problems.append(f"the change is saved, and the message does not say so ({what})")
            if not may_leave and [name for name in os.listdir(folder) if name.endswith(".tmp")]:
                problems.append("a temporary file is left")
        again = run(self.command, folder)
        expected, code = (self.twice, self.second) if found == self.new else (self.new, 0)
        if again.code != code and not (len(found) > 1 and again.code == 0):
            problems.append(f"the next run ends with {again.code}: {again.errors.strip()[:200]}")
        elif self.name == "deliveries":
            accepted = self.deliveries(self.contents(folder)[STATE])
            if not accepted or set(accepted) != {1}:
                problems.append(f"after the next run {accepted} have been accepted")
        elif self.contents(folder) not in (expected, self.new if len(found) > 1 else expected):
            problems.append("the next run does something else than on an undisturbed file")
        # A run that was killed, or whose call on the lock file failed, leaves the lock file. A next run that is refused takes
        # no lock, and so removes none.
        left = sorted(name for name in set(os.listdir(folder)) - set(self.listing)
                      if not ((was_killed or locks) and again.code != 0 and name.endswith(".lock")))
        if left:
            problems.append(f"left after the next run: {left}")
        return problems


def scenarios(receiver):
    at = "2026-01-01T00:00:00Z"
    registered = [["register", "--at", at, "--ad", '{"app_id":1234567890}']]
    used = registered + [["event", "purchase", "--revenue", "3", "--currency", "USD", "--at", "+1h"]]
    postback = {name: open(os.path.join(FIXTURES, "postbacks", name)).read()
                for name in ("apple-2.1.json", "apple-2.2.json", "apple-3.0.json", "apple-4.0-fine.json")}
    phone = {"p0_total_iap_revenue": {"USD": 1.5}, "skan_current_conversion_value": "3"}
    old = "an older file\n"
    reports = ["report.html", "report.md", "report.xml", "report.json", "report.tap"]
    yield Scenario("install", ["install", "--at", at], [STATE])
    yield Scenario("install over a phone", ["install", "--force", "--at", at], [STATE], used)
    yield Scenario("install from details", ["install", "--details", "d.json", "--at", at], [STATE], (),
                   {"d.json": json.dumps(phone)})
    yield Scenario("register", ["register", "--at", at], [STATE])
    yield Scenario("session", ["session", "--at", "+2h"], [STATE], used)
    yield Scenario("event", ["event", "level", "--at", "+2h", "--model", MODEL], [STATE], used)
    yield Scenario("revenue with a key", ["revenue", "2.5", "USD", "--idempotency-key", "k1", "--at", "+2h"], [STATE], used)
    yield Scenario("purchase with a key", ["event", "purchase", "--revenue", "2.5", "--currency", "USD", "--idempotency-key",
                                           "k1", "--at", "+2h"], [STATE], used)
    yield Scenario("update", ["update", "--app-version", "2.0", "--at", "+2h"], [STATE], used)
    yield Scenario("relaunch", ["relaunch", "--at", "+2h"], [STATE], used)
    yield Scenario("reset", ["reset", "--at", "+2h"], [STATE], used)
    yield Scenario("s2s session", ["s2s", "session", "--at", "+2h", "--answer", '{"json":{"status":"ok"}}'], [STATE], used)
    yield Scenario("s2s event", ["s2s", "event", "level", "--at", "+2h", "--answer", '{"json":{"status":"ok"}}'], [STATE],
                   used)
    yield Scenario("details", ["details"], [STATE], used, writes=False)
    yield Scenario("history", ["history"], [STATE], used, writes=False)
    yield Scenario("through a link", ["event", "level", "--at", "+2h", "--state", "link.json"], [STATE],
                   used, {"link.json": None})
    yield Scenario("replay with state", ["replay", "-q", "list.jsonl", "--state", STATE, "--jobs", "1"], [STATE], used,
                   {"list.jsonl": LIST})
    yield Scenario("replay with record", ["replay", "-q", "list.jsonl", "--model", MODEL, "--record", "record.jsonl",
                                          "--jobs", "1"], ["record.jsonl"], (),
                   {"list.jsonl": '{"op":"register"}\n' + LIST, "record.jsonl": "{}\n"})
    yield Scenario("replay with reports", ["replay", "-q", "list.jsonl", "--jobs", "1", "--report-html", reports[0],
                                           "--report-markdown", reports[1], "--report-junit", reports[2], "--report-json",
                                           reports[3], "--report-tap", reports[4]], reports, (),
                   dict({name: old for name in reports if name != "report.json"}, **{"list.jsonl": '{"op":"register"}\n' + LIST}))
    yield Scenario("timeline", ["timeline", "--svg", "out.svg"], ["out.svg"], used, {"out.svg": old})
    yield Scenario("import", ["import", "-q", os.path.join(FIXTURES, "exports", "adjust.csv"), "--dedupe", "tx", "--output",
                              "out.jsonl"], ["out.jsonl"], (), {"out.jsonl": "{}\n"})
    yield Scenario("check", ["check", "-q", os.path.join(FIXTURES, "traffic", "clean-life.ndjson"), "--redacted", "out.har",
                             "--to-list", "out.jsonl"], ["out.har", "out.jsonl"], (), {"out.har": old, "out.jsonl": "{}\n"})
    yield Scenario("receive", ["receive", "-q", *list(postback)[1:], "--received-at", "2026-05-02T00:00:00Z"],
                   ["received.jsonl"],
                   [["receive", "-q", list(postback)[0], "--received-at", "2026-05-01T00:00:00Z"]], postback)
    yield Scenario("deliveries", ["postbacks", "-q", "--at", "+45d", "--send", f"http://127.0.0.1:{receiver}/p"], [STATE],
                   used)
