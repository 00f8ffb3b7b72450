"""Few descriptors, small files, full disks, short writes."""
import concurrent.futures
import os
import resource
import shutil
import signal
import subprocess
import tempfile

from torturing.run import run

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
    plans = {pool.submit(limited, resource.RLIMIT_NOFILE, number, True): f"{number} descriptors" for number in numbers}
    for size in sorted({0, 1, 100, largest // 2, largest - 1, largest}):
        for ignored in (True, False):
            plans[pool.submit(limited, resource.RLIMIT_FSIZE, size, ignored)] = f"files of {size} bytes"
    for future in concurrent.futures.as_completed(plans):
        if future.result() is not None:
            tally.add("real", f"{scenario.name}: {plans[future]}", future.result())


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


def free_page_needed(scenario, plan):
    return plan == "0 free pages" and scenario.name != "receive"


def real_disks(scenario, folder, prefix, pool, tally):
    """A disk with a few free pages, and one that is read-only."""
    def on_disk(free):
        copy, mount = scenario.copy(folder), tempfile.mkdtemp(dir=folder)
        result = run(["sh", "-c", DISK, "sh", *scenario.command], "/", prefix, COPY=copy, MOUNT=mount,
                     FREE="none" if free is None else str(free))
        problems = ["it cannot be tried"] if result.code == 99 else scenario.check(copy, result)
        shutil.rmtree(copy)
        os.rmdir(mount)
        return result.code, problems
    plans = {pool.submit(on_disk, free): "read-only" if free is None else f"{free} free pages"
             for free in (None, 0, 1, 2, 3, 8)}
    for future in concurrent.futures.as_completed(plans):
        code, problems = future.result()
        # What is added to a file may find room in its last page.
        if scenario.writes and code == 0 and (plans[future] == "read-only" or free_page_needed(scenario, plans[future])):
            problems.append("it claims success")
        tally.add("real", f"{scenario.name}: {plans[future]}", problems)
