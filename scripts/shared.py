"""What the scripts share: where things are, and how programs are found, started, watched and ended."""
import contextlib
import http.server
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FIXTURES = os.path.join(REPOSITORY, "fixtures")
MODEL = os.path.join(FIXTURES, "models", "mixed.json")
BUILT = os.path.join(REPOSITORY, ".build", "debug", "skan")


class Started:
    """What runs, so that nothing is left of it when a script is ended."""

    processes, folders = [], set()

    @staticmethod
    def popen(*arguments, **options):
        process = subprocess.Popen(*arguments, **options)
        Started.processes.append(process)
        return process

    @staticmethod
    def kill():
        for process in list(Started.processes):
            if process.returncode is None:
                process.kill()

    @staticmethod
    def end(*_):
        Started.kill()
        for folder in Started.folders:
            shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)


@contextlib.contextmanager
def workplace():
    """A temporary folder. It goes, with all processes that were started, at the end of a script and when that is ended."""
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, Started.end)
    with tempfile.TemporaryDirectory() as folder:
        Started.folders.add(folder)
        try:
            yield folder
        finally:
            Started.kill()


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


def installed(path, folder):
    """The program at a path; without one a release that scripts/install builds into the folder."""
    if path:
        return program(path)
    print("building a release", file=sys.stderr)
    install = os.path.join(REPOSITORY, "scripts", "install")
    subprocess.run([install, "--prefix", folder], check=True, stdout=subprocess.DEVNULL)
    return os.path.join(folder, "bin", "skan")


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


def serve(skan, folder, *options, port=0, prefix=(), **others):
    """Starts `skan serve`, and waits until it listens; the process, and its port, None where it does not listen."""
    others = {"stdin": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment(), **others}
    process = Started.popen([*prefix, skan, "serve", "--port", str(port), *options], cwd=folder, stdout=subprocess.PIPE,
                            text=True, **others)
    line = process.stdout.readline()
    return process, int(line.rsplit(":", 1)[-1]) if line.startswith("listening") else None


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers requests, and writes no log."""

    def answer(self, body=b"", status=200, kind="application/json"):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Listener(http.server.ThreadingHTTPServer):
    """Listens on a free port of this machine, a thread a connection, and passes over those that break off."""

    daemon_threads = True

    def __init__(self, handler):
        super().__init__(("127.0.0.1", 0), handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *arguments):
        pass


def make(path, *options):
    """Writes what scripts/make prints with these options to a file."""
    with open(path, "wb") as file:
        command = [sys.executable, os.path.join(REPOSITORY, "scripts", "make"), *map(str, options)]
        subprocess.run(command, check=True, stdout=file)


def openssl(folder, *arguments, text=None):
    """What openssl prints."""
    return subprocess.run(["openssl", *arguments], cwd=folder, input=text, check=True, capture_output=True).stdout


def key_pair(folder):
    """Makes key.pem, and public.pem, which checks what key.pem has signed."""
    openssl(folder, "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "key.pem")
    openssl(folder, "ec", "-in", "key.pem", "-pubout", "-out", "public.pem")


def unsigned_postback(number):
    """A postback of version 4.0 without its signature, and the text that is signed."""
    body = {
        "version": "4.0", "ad-network-id": "com.example", "source-identifier": "5239", "app-id": 525463029,
        "transaction-id": f"{number:08x}-0000-4000-8000-000000000000", "redownload": False, "source-app-id": 1234567891,
        "fidelity-type": 1, "did-win": True, "postback-sequence-index": 0, "conversion-value": number % 64,
    }
    signed = ["4.0", "com.example", "5239", "525463029", body["transaction-id"], "false", "1234567891", "1", "true", "0"]
    return body, "\u2063".join(signed)


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
