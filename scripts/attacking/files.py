"""Hostile files against commands."""
import concurrent.futures
import fcntl
import os
import shutil
import subprocess
import tempfile

from attacking.inputs import FILES, define_files
from attacking.run import FILE_MEMORY, Ran
from shared import environment


def attack_files(skan, folder, name, arguments, prepare, codes, seconds, options):
    own = tempfile.mkdtemp(dir=folder)
    held = []
    if prepare == "lock":
        subprocess.run([skan, "register", "-q"], cwd=own, env=environment(), check=True)
        open(os.path.join(own, "received.jsonl"), "w").close()
        for each in ("skan-state.json.lock", "received.jsonl.lock"):
            held.append(open(os.path.join(own, each), "w"))
            fcntl.flock(held[-1], fcntl.LOCK_EX)
    elif prepare:
        prepare(own)
    stdin, ends = None, []
    if options.get("stdin") == "silent":
        ends = os.pipe()
        stdin = ends[0]
    elif options.get("stdin"):
        stdin = open(options["stdin"], "rb")
    ran = Ran([skan, *arguments], own, seconds, stdin=stdin, interrupt_after=options.get("interrupt_after"),
              **options.get("variables", {}))
    for each in ends:
        os.close(each)
    for each in held:
        each.close()
    problems = ran.problems(codes, options.get("memory", FILE_MEMORY))
    if options.get("says", b"") not in ran.errors:
        problems.append(f"it says {ran.errors[-200:]!r}")
    left = [each for each in os.listdir(own) if each.endswith(".tmp")]
    if left:
        problems.append(f"left: {left}")
    shutil.rmtree(own)
    return problems, ran.seconds, ran.memory


def file_attacks(skan, folder, wanted, tally):
    define_files()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        futures = {pool.submit(attack_files, skan, folder, *each): each[0] for each in FILES if wanted in each[0]}
        tally.collect("files", futures)
