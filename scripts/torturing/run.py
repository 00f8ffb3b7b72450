"""What was tried, and one run of the program."""
import collections
import json
import os
import signal
import subprocess
import threading
import xml.etree.ElementTree

from shared import Started, environment


class Tally:
    """What was tried and what failed, in each phase."""

    def __init__(self):
        self.tried, self.failed = collections.Counter(), collections.Counter()
        self.problems, self.missing, self.notes = [], [], collections.Counter()
        self.lock = threading.Lock()

    def add(self, phase, name, problems):
        with self.lock:
            self.tried[phase] += 1
            if problems:
                self.failed[phase] += 1
                self.problems.append(f"{phase}: {name}: {'; '.join(problems)}")

    def leave(self, phase, reason):
        self.missing.append(f"{phase}: not evaluated: {reason}")


class Result:
    """What a run ended with."""

    def __init__(self, code, output, errors):
        self.code, self.output, self.errors = code, output, errors


def run(arguments, folder, prefix=(), timeout=60, limits=None, **variables):
    """Runs it to its end; one that hangs is killed, and its code is "hangs"."""
    process = Started.popen([*prefix, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env=environment(**variables), start_new_session=True, preexec_fn=limits)
    try:
        output, errors = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, errors = process.communicate()
        return Result("hangs", output, errors)
    return Result(process.returncode, output.decode(errors="replace"), errors.decode(errors="replace"))


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
