"""Each system call of a command fails with each of its errors, or is the last."""
import collections
import concurrent.futures
import os
import re
import shutil
import sys

from torturing.run import run

# What each call may fail with. EINTR means another try, so that nothing must come of it.
ERRORS = {
    "openat": ["EIO", "EMFILE", "EACCES", "EINTR"], "read": ["EIO", "EINTR"], "pread64": ["EIO", "EINTR"],
    "write": ["EIO", "ENOSPC", "EDQUOT", "EINTR"], "pwrite64": ["EIO", "ENOSPC"], "fsync": ["EIO", "ENOSPC", "EINTR"],
    "close": ["EIO", "EINTR"], "rename": ["EIO", "ENOSPC", "EACCES", "EROFS"], "linkat": ["EIO", "ENOSPC"],
    "unlink": ["EIO"], "fchmod": ["EIO", "EROFS"], "ftruncate": ["EIO", "EINTR"], "flock": ["EIO", "ENOLCK", "EINTR"],
    "newfstatat": ["EIO", "EACCES"], "fstat": ["EIO"], "readlink": ["EIO", "EACCES"], "getcwd": ["EACCES"],
    "getdents64": ["EIO"], "mkdir": ["EIO", "ENOSPC"], "lseek": ["EIO"], "ioctl": ["EIO"],
}
# Linux on arm64 has these in the place of those.
PLAIN = {"renameat": "rename", "renameat2": "rename", "unlinkat": "unlink", "readlinkat": "readlink", "mkdirat": "mkdir"}
CREATING = ["ENOSPC", "EROFS"]
RETRIED = {"openat", "read", "pread64", "write", "fsync", "close", "ftruncate", "flock"}


class Call:
    """A system call of a command: its name, its kind in the table, the how many of this name it is, and what it is of."""

    def __init__(self, name, number, text):
        self.name, self.kind, self.number, self.text = name, PLAIN.get(name, name), number, text

    def __str__(self):
        return f"{self.name} {self.number} ({re.sub(r'/[^ ,<>]*/', '', self.text)[:70]})"

    @property
    def errors(self):
        errors = ERRORS[self.kind]
        return errors + CREATING if "O_CREAT" in self.text or "O_TMPFILE" in self.text else errors


def calls(scenario, folder):
    """The calls that concern the command's own folder or its output, and which of them is the last that saves."""
    copy = scenario.copy(folder)
    log = os.path.join(folder, os.path.basename(copy) + ".calls")
    result = run(scenario.command, copy, ["strace", "-y", "-o", log])
    if result.code != 0:
        sys.exit(f"torture: strace: {scenario.name} ends with {result.code}: {result.errors}")
    counts, found, saved = collections.Counter(), [], None
    for line in open(log, errors="replace"):
        match = re.match(r"(\w+)\((.*)", line)
        if not match or PLAIN.get(match[1], match[1]) not in ERRORS:
            continue
        name, rest = match[1], match[2]
        counts[name] += 1
        text = re.sub(r"AT_FDCWD<[^>]*>", "", rest)
        isOwn = copy in text or re.search(r'"(?!\.\./)[^"/]+"', text.split(", {")[0]) and name in ("openat", "newfstatat")
        isOutput = re.match(r"[12]<", text) and name == "write"
        if not (isOwn or isOutput) or '"skan.json"' in text:
            continue
        found.append(Call(name, counts[name], text))
        if found[-1].kind == "rename" or name == "fsync" and ".jsonl>" in text:
            saved = len(found) - 1
    os.unlink(log)
    shutil.rmtree(copy)
    return found, saved


def unflushed(found):
    """What takes a file's name, or is passed on, before it is on the disk: that only a loss of power would show."""
    problems, flushed = [], set()
    for index, call in enumerate(found):
        if call.name == "fsync":
            flushed.add(re.match(r"\d+<(.*?)>(?:\(deleted\))?[^>]*$", call.text)[1])
        if call.kind == "rename":
            temporary, target = re.findall(r'"([^"]*)"', call.text)
            if temporary not in flushed and not any("/#" in name for name in flushed):
                problems.append(f"{os.path.basename(target)} takes its place before it is on the disk")
            if not any(later.name == "fsync" and f"<{os.path.dirname(target)}>" in later.text for later in found[index:]):
                problems.append(f"the new name of {os.path.basename(target)} is not put on the disk")
    return problems


def strace(log, name, how, number, *options):
    """Starts a program of which the call of this name and number fails, or is not made: a kill comes before it."""
    fault = "signal=KILL" if how == "KILL" else f"error={how}"
    return ["strace", *options, "-o", log, "-e", f"inject={name}:{fault}:when={number}"]


def was_hindered(log, how):
    """Whether strace has come to that call."""
    with open(log, errors="replace") as file:
        return ("killed by SIGKILL" if how == "KILL" else "INJECTED") in file.read()


def hinder(scenario, call, index, saved, how, folder):
    """Runs the command with one call failing, or killed before it."""
    copy = scenario.copy(folder)
    log = copy + ".log"
    result = run(scenario.command, copy, strace(log, call.name, how, call.number, "-e", f"trace={call.name}"))
    problems, contents = [], scenario.contents(copy)
    if not was_hindered(log, how):
        problems.append("the call is not made again: a run differs from the other")
    os.unlink(log)
    if result.code == "hangs":
        problems.append("it hangs")
    isTemporary = ".tmp" in call.text or "O_TMPFILE" in call.text or "(deleted)" in call.text
    isSaving = isTemporary and call.kind in ("write", "fsync", "rename", "linkat") or (
        call.name in ("write", "fsync") and "received.jsonl>" in call.text)
    problems += scenario.check(
        copy, result, was_killed=how == "KILL", must_fail=isSaving and how != "EINTR" and scenario.writes,
        must_pass=how == "EINTR" and call.name in RETRIED, may_leave=call.kind == "unlink",
        locks=".lock" in call.text)
    if how == "KILL" and len(scenario.outputs) == 1 and scenario.name != "deliveries" and scenario.writes:
        expected = scenario.new if index > saved else scenario.old
        if contents != expected and not (index == saved and call.name == "fsync"):
            problems.append("killed after it was saved, it is the old file" if index > saved else "it is new before its time")
    shutil.rmtree(copy)
    return problems


def every_call(scenario, folder, pool, tally):
    found, saved = calls(scenario, folder)
    problems = unflushed(found) + (["it saves nothing"] if scenario.writes and saved is None else [])
    tally.add("calls", f"{scenario.name}: undisturbed", problems)
    saved = len(found) if saved is None else saved
    futures = {pool.submit(hinder, scenario, call, index, saved, how, folder): f"{scenario.name}: {how} at {call}"
               for index, call in enumerate(found) for how in ["KILL", *call.errors]}
    for future in concurrent.futures.as_completed(futures):
        tally.add("calls", futures[future], future.result())
    return len(found)
