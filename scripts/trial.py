"""What scripts/torture and scripts/attack share: where things are, and what they start."""
import os
import shutil
import subprocess

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


def environment(**others):
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    return {**kept, "HOME": "/nonexistent", "SKAN_PROJECT": "none", "LC_ALL": "C", **others}
