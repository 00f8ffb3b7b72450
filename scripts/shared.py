"""What the scripts share: where things are, and how programs are found, started, watched and ended."""
import contextlib
import http.server
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

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


class Checks:
    """What a script has checked: it says at once what does not hold, and ends with 1 when something did not."""

    def __init__(self):
        self.failures = []

    def check(self, holds, text):
        if not holds:
            self.failures.append(text)
            print(f"FAIL  {text}", flush=True)

    def end(self, script):
        print(f"scripts/{script}: {f'{len(self.failures)} checks failed' if self.failures else 'passed'}")
        sys.exit(1 if self.failures else 0)


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
