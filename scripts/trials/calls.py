"""Each system call of a command fails with each of its errors, or is the last; then few descriptors, small files, full disks."""
import collections
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

from trials.run import run

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
    tally.collect("calls", futures)
    return len(found)


# What the system itself sets a limit to.

SHORT = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
/* A file takes at most SHORT_WRITES bytes of a write, and so does a file that is read. What was cut is noted. */
static size_t most(int descriptor, size_t count) {
  struct stat status;
  const char *text = getenv("SHORT_WRITES");
  size_t limit = text ? strtoul(text, 0, 10) : 0;
  if (!limit || count <= limit || fstat(descriptor, &status) || !S_ISREG(status.st_mode)) return count;
  int note = open(getenv("SHORT_NOTE"), O_CREAT | O_WRONLY | O_APPEND, 0600);
  if (note >= 0) close(note);
  return limit;
}
ssize_t write(int descriptor, const void *bytes, size_t count) {
  ssize_t (*next)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
  return next(descriptor, bytes, most(descriptor, count));
}
ssize_t read(int descriptor, void *bytes, size_t count) {
  ssize_t (*next)(int, void *, size_t) = dlsym(RTLD_NEXT, "read");
  return next(descriptor, bytes, most(descriptor, count));
}
"""


def short_library(folder, tally):
    """What makes writes short, or None."""
    library = os.path.join(folder, "short.so")
    if not shutil.which("cc"):
        return tally.leave("real", "short writes: there is no cc")
    built = subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-w", "-o", library, "-x", "c", "-"], input=SHORT, text=True,
                           capture_output=True)
    if built.returncode != 0:
        return tally.leave("real", f"short writes: cc fails: {built.stderr.strip()[:200]}")
    return library


def short_writes(scenario, library, folder, tally):
    """Each write and read of a file takes a few bytes only: that is no error, and the outcome is the same."""
    for size in (1, 7, 1000):
        copy = scenario.copy(folder)
        note = copy + ".note"
        result = run(scenario.command, copy, LD_PRELOAD=library, SHORT_WRITES=str(size), SHORT_NOTE=note)
        if not os.path.exists(note):
            tally.notes["writes that were not short, since no file is that long or the program is static"] += 1
        else:
            tally.add("real", f"{scenario.name}: writes of {size} bytes", scenario.check(copy, result, must_pass=True))
            os.unlink(note)
        shutil.rmtree(copy)


def real_limits(scenario, folder, pool, tally):
    """The limits of the system itself: descriptors and sizes of files."""
    def limited(name, number, ignored):
        copy = scenario.copy(folder)

        def limits():
            if ignored:
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            else:
                signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(name, (number, number))
        result = run(scenario.command, copy, limits=limits)
        # Too few for the loader, before the program begins; and the signal of a file that grows too long is a kill.
        problems = []
        if result.code != 127:
            problems = scenario.check(copy, result, was_killed=result.code == -signal.SIGXFSZ)
        shutil.rmtree(copy)
        return None if result.code == 127 else problems
    largest = max((len(content) for content in scenario.new.values() if content), default=0)
    # Without a descriptor for its connection a delivery fails, which is no fault of a file.
    numbers = range(3, 12) if scenario.name != "deliveries" else ()
    plans = {pool.submit(limited, resource.RLIMIT_NOFILE, number, True): f"{scenario.name}: {number} descriptors"
             for number in numbers}
    for size in sorted({0, 1, 100, largest // 2, largest - 1, largest}):
        for ignored in (True, False):
            plans[pool.submit(limited, resource.RLIMIT_FSIZE, size, ignored)] = f"{scenario.name}: files of {size} bytes"
    tally.collect("real", plans)


def mounts():
    """How mounts are made here, or None."""
    for prefix in (["unshare", "-m"], ["unshare", "-rm"]):
        if shutil.which("unshare") and subprocess.run([*prefix, "mount", "-t", "tmpfs", "tmpfs", "/mnt"],
                                                      capture_output=True).returncode == 0:
            return prefix
    return None


# A command on a disk of one MiB that is full but for some pages, or read-only. What it leaves is copied back.
DISK = """
mount -t tmpfs -o size=1m tmpfs "$MOUNT" && cp -a "$COPY/." "$MOUNT/" && cd "$MOUNT" || exit 99
if [ "$FREE" = none ]; then
  mount -o remount,ro "$MOUNT" || exit 99
else
  head -c 2m /dev/zero >fill 2>"$COPY.full"
  truncate -s $(($(stat -c %s fill) - FREE * 4096)) fill || exit 99
fi
"$@"
code=$?
rm -f fill "$COPY.full" 2>&1
cd / && find "$COPY" -mindepth 1 -delete && cp -a "$MOUNT/." "$COPY/"
exit $code
"""


def real_disks(scenario, folder, prefix, pool, tally):
    """A disk with a few free pages, and one that is read-only."""
    def on_disk(free):
        copy, mount = scenario.copy(folder), tempfile.mkdtemp(dir=folder)
        result = run(["sh", "-c", DISK, "sh", *scenario.command], "/", prefix, COPY=copy, MOUNT=mount,
                     FREE="none" if free is None else str(free))
        problems = ["it cannot be tried"] if result.code == 99 else scenario.check(copy, result)
        shutil.rmtree(copy)
        os.rmdir(mount)
        # What is added to a file may find room in its last page.
        if scenario.writes and result.code == 0 and (free is None or free == 0 and scenario.name != "receive"):
            problems.append("it claims success")
        return problems
    tally.collect("real", {
        pool.submit(on_disk, free): f"{scenario.name}: {'read-only' if free is None else f'{free} free pages'}"
        for free in (None, 0, 1, 2, 3, 8)})
