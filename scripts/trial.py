"""What scripts/torture and scripts/attack share: where things are, and what they start."""
import os
import shutil
import subprocess
import sys

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FIXTURES = os.path.join(REPOSITORY, "fixtures")
MODEL = os.path.join(FIXTURES, "models", "mixed.json")


class Started:
    """What runs, so that nothing is left of it when a script is ended."""

    processes, folders = [], set()
    program = None

    @staticmethod
    def popen(*arguments, **options):
        process = subprocess.Popen(*arguments, **options)
        Started.processes.append(process)
        return process

    @staticmethod
    def end(*_):
        for process in list(Started.processes):
            if process.returncode is None:
                process.kill()
        for folder in Started.folders:
            shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)


def refuse(message):
    """Ends the script for its arguments."""
    print(f"scripts/{os.path.basename(sys.argv[0])}: {message}", file=sys.stderr)
    sys.exit(64)


def selection(text, known):
    """The names in a list with commas: all that are known without one, and none that is not."""
    names = list(known) if text is None else text.split(",")
    unknown = [name for name in names if name not in known]
    if unknown:
        refuse(f"unknown: {', '.join(map(repr, unknown))}; there are {', '.join(known)}")
    return names


def environment(**others):
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    return {**kept, "HOME": "/nonexistent", "SKAN_PROJECT": "none", "LC_ALL": "C", **others}
