"""What the scripts share: where things are, and how a program is found, started and ended."""
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FIXTURES = os.path.join(REPOSITORY, "fixtures")
MODEL = os.path.join(FIXTURES, "models", "mixed.json")
BUILT = os.path.join(REPOSITORY, ".build", "debug", "skan")


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


def program(path=BUILT):
    """The program that is tried, as a whole path."""
    path = os.path.abspath(path)
    if not os.access(path, os.X_OK):
        refuse(f"there is no program {path}; build it, or name another")
    return path


def serve(skan, folder, *options, **others):
    """Starts `skan serve` on a free port, and waits until it listens; the process, and the port, None where it does not."""
    others = {"stdin": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment(), **others}
    process = Started.popen([skan, "serve", "--port", "0", *options], cwd=folder, stdout=subprocess.PIPE, text=True, **others)
    line = process.stdout.readline()
    return process, int(line.rsplit(":", 1)[-1]) if line.startswith("listening") else None


def make(path, *options):
    """Writes what scripts/make prints with these options to a file."""
    with open(path, "wb") as file:
        command = [sys.executable, os.path.join(REPOSITORY, "scripts", "make"), *map(str, options)]
        subprocess.run(command, check=True, stdout=file)


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


def pasted(text, folder):
    """Types a text into an interactive shell without bracketed paste, where `curl` notes its arguments; those of each call.

    Whatever else the shell was made to run may have left files in the folder.
    """
    programs, calls = os.path.join(folder, "programs"), os.path.join(folder, "calls")
    shutil.rmtree(calls, ignore_errors=True)
    for each in (programs, calls):
        os.makedirs(each, exist_ok=True)
    with open(os.path.join(programs, "curl"), "w") as file:
        file.write(f'#!/bin/sh\nprintf "%s\\0" "$@" > "$(mktemp {calls}/XXXXXX)"\n')
    os.chmod(file.name, 0o755)
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"], environment(
            PATH=f"{programs}:/usr/bin:/bin", TERM="dumb", LC_ALL="C.UTF-8", SKAN_SDK_KEY="k3y", INPUTRC="/dev/null"))
    rest = "bind 'set enable-bracketed-paste off'\n".encode() + text.encode() + b"\nexit\n"
    # An interrupt discards what the terminal has not read, so what follows one waits for it.
    parts = re.findall(rb"[^\x00-\x1f]{0,64}[\x00-\x1f]?", rest)[::-1]
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            if select.select([terminal], [], [], 0.02)[0] and not os.read(terminal, 1 << 16):
                break
            if parts:
                os.write(terminal, parts.pop())
        except OSError:
            # The shell has ended.
            break
    else:
        os.kill(process, 9)
    os.close(terminal)
    os.waitpid(process, 0)
    found = []
    for name in os.listdir(calls):
        with open(os.path.join(calls, name), "rb") as file:
            found.append([part.decode() for part in file.read().split(b"\0")[:-1]])
    return found
