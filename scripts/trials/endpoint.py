"""A hostile endpoint against the client, and programs beside `skan`: a broken `skan-http`, the command of `serve -- COMMAND`."""
import concurrent.futures
import os
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time

from shared import Started, environment
from trials.answers import ATTACKS, define_attacks, whole
from trials.run import CLIENT_MEMORY, GRACE, KEY, PAGE, Ran, processes_of, register, run


class Peer:
    """One connection of the endpoint, as an attack sees it."""

    def __init__(self, connection, endpoint, number):
        self.connection, self.endpoint, self.number = connection, endpoint, number

    def send(self, data):
        self.connection.sendall(data)

    def forever(self, data, pause=0.0):
        data = data if pause else data * max(1, PAGE // len(data))
        while not self.endpoint.has_ended:
            self.send(data)
            time.sleep(pause)

    def wait(self, seconds=30):
        """Stays, and reads what comes, until the other side goes."""
        end = time.monotonic() + seconds
        self.connection.settimeout(0.2)
        while time.monotonic() < end and not self.endpoint.has_ended:
            try:
                if not self.connection.recv(4096):
                    return
            except TimeoutError:
                pass

    def reset(self):
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()


class Endpoint:
    """A server that answers each connection by one attack."""

    def __init__(self, attack, reads=True):
        self.attack, self.reads, self.has_ended, self.seen = attack, reads, False, []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.port = self.listener.getsockname()[1]
        self.threads = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection, len(self.seen)), daemon=True).start()

    def serve(self, connection, number):
        try:
            connection.settimeout(20)
            request = b""
            while self.reads and b"\r\n\r\n" not in request:
                data = connection.recv(PAGE)
                if not data:
                    return
                request += data
            self.seen.append(request)
            self.attack(Peer(connection, self, number))
        except (OSError, ValueError):
            pass
        finally:
            connection.close()

    def end(self):
        self.has_ended = True
        self.listener.close()


def attack_endpoint(skan, folder, name, function, options, defaults):
    """One attack, and what is wrong after it."""
    own = tempfile.mkdtemp(dir=folder)
    register(skan, own)
    other = None
    if "other" in options:
        # Another host, in another port: the key must not go there.
        other = Endpoint(lambda peer: peer.send(whole()))
        location = b"Location: http://localhost:%d%s" % (other.port, options["other"])

        def function(peer):
            peer.send(whole(b"", location, status=options.get("status", b"302 Found")))
    endpoint = Endpoint(function, options.get("reads", True))
    before = len(open(os.path.join(own, "skan-state.json")).read())
    arguments = ["session", "-v", "--endpoint", f"{options.get('scheme', 'http')}://127.0.0.1:{endpoint.port}/"]
    limit = 10 if defaults else 1
    if not defaults:
        arguments += ["--max-time", "1s"]
    ran = Ran([skan, *arguments], own, limit + GRACE, SKAN_SDK_KEY=KEY)
    endpoint.end()
    problems = ran.problems(options.get("codes", (0, 69, 76)), CLIENT_MEMORY)
    if not endpoint.seen:
        problems.append("the endpoint was not asked")
    if KEY.encode() in ran.output + ran.errors:
        problems.append("the SDK key is in the output")
    state = open(os.path.join(own, "skan-state.json"), "rb").read()
    if KEY.encode() in state:
        problems.append("the SDK key is in the device file")
    if other:
        other.end()
        if any(KEY.encode() in request for request in other.seen):
            problems.append("another host gets the SDK key")
    shown = run([skan, "history", "--json"], own, timeout=20)
    steps = shown.output.count("\n") if shown.code == 0 else None
    if steps != 2 and ran.code != "hangs":
        problems.append(f"{steps} steps in the device file ({before} bytes before, {len(state)} now)")
    free = run([skan, "relaunch", "--lock-timeout", "300ms"], own)
    if free.code != 0:
        problems.append(f"afterwards the device file cannot be used: {free.errors[:200]!r}")
    left = set(os.listdir(own)) - {"skan-state.json", "skan-state.json.lock"}
    if left:
        problems.append(f"left: {sorted(left)}")
    shutil.rmtree(own)
    return problems, ran.seconds, ran.memory


def endpoint_attacks(skan, folder, wanted, tally):
    define_attacks()
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        futures = {}
        for defaults in (False, True):
            for name, function, options in ATTACKS:
                label = f"{name}{', default limits' if defaults else ''}"
                if wanted in label:
                    futures[pool.submit(attack_endpoint, skan, folder, name, function, options, defaults)] = label
        tally.collect("endpoint", futures)


# Programs in the place of skan-http, as shell scripts; the socket is their standard input.
HELPERS = {
    "ends at once": "exit 0", "ends with 1": "exit 1", "ends with 3, as for much memory": "exit 3",
    "ends with 64": "exit 64", "is killed": "kill -9 $$", "ends by a trap": "kill -TRAP $$",
    "ends after what it was sent": "dd bs=1 count=20 of=/dev/null 2>/dev/null; exit 0", "says nothing": "exec sleep 60",
    "returns everything": "exec cat >&0", "returns zeros": "exec cat /dev/zero >&0",
    "returns a line": "echo hello >&0; exec sleep 60", "returns HTTP": "printf 'HTTP/1.1 200 OK\\r\\n\\r\\n{}' >&0; exec sleep 60",
    "returns random bytes": "exec head -c 100000 /dev/urandom >&0", "closes its input": "exec sleep 60 <&-",
    "is another's": "exec /usr/bin/env true",
}
FILES_IN_PLACE = {"is no program": b"hello\n", "is empty": b"", "is a program of another machine": b"\x7fELF\x02\x01\x01" + bytes(57)}


def helper(skan, own, content):
    """A copy of the program with another skan-http beside it."""
    folder = os.path.join(own, "bin")
    os.mkdir(folder)
    try:
        os.link(skan, os.path.join(folder, "skan"))
    except OSError:
        shutil.copy(skan, folder)
    path = os.path.join(folder, "skan-http")
    with open(path, "wb") as file:
        file.write(content)
    os.chmod(path, 0o755)
    return os.path.join(folder, "skan")


def attack_helper(skan, folder, content):
    """A broken skan-http: it is named, the endpoint is not, and the phone stays as it was."""
    own = tempfile.mkdtemp(dir=folder)
    program = helper(skan, own, content)
    register(skan, own)
    path = os.path.join(own, "skan-state.json")
    before = open(path, "rb").read()
    endpoint = Endpoint(lambda peer: peer.send(whole()))
    ran = Ran([program, "session", "--endpoint", f"http://127.0.0.1:{endpoint.port}/", "--max-time", "1s"], own, 1 + GRACE + 4)
    endpoint.end()
    problems = ran.problems((69,), CLIENT_MEMORY)
    if b"skan-http" not in ran.errors:
        problems.append(f"skan-http is not named: {ran.errors[-200:]!r}")
    if b":%d" % endpoint.port in ran.output + ran.errors:
        problems.append(f"the endpoint is named: {(ran.output + ran.errors)[-200:]!r}")
    if open(path, "rb").read() != before:
        problems.append("the phone has a step that was not sent")
    shutil.rmtree(own)
    return problems, ran.seconds, ran.memory


def attack_actual(skan, folder):
    """A redirect of --actual, whose request has no SDK key."""
    own = tempfile.mkdtemp(dir=folder)
    endpoint = Endpoint(lambda peer: peer.send(whole(b"", b"Location: http://localhost:1/", status=b"302 Found")))
    url = f"http://127.0.0.1:{endpoint.port}/"
    ran = Ran([skan, "receiver-test", url, "--actual", url + "counts", "--max-time", "2s"], own, 60)
    endpoint.end()
    problems = ran.problems((69, 76), CLIENT_MEMORY)
    if b"redirect" not in ran.errors or b"SDK key" in ran.output + ran.errors:
        problems.append(f"it says {ran.errors[-200:]!r}")
    shutil.rmtree(own)
    return problems, ran.seconds, ran.memory


class Serving:
    """`skan serve -- COMMAND`, and the process of the command."""

    def __init__(self, skan, own, command):
        self.process = Started.popen([skan, "serve", "-q", "--no-page", "--", *command], cwd=own, stdin=subprocess.DEVNULL,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment(), start_new_session=True)
        self.child = None
        end = time.monotonic() + 10
        while not self.child and time.monotonic() < end:
            time.sleep(0.05)
            self.child = next((each for each in processes_of(self.process.pid) if name_of(each) == os.path.basename(command[0])), None)

    def ended(self, seconds):
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def end(self):
        for each in processes_of(self.process.pid):
            os.kill(each, signal.SIGKILL)
        self.process.wait()


def name_of(process):
    try:
        with open(f"/proc/{process}/comm") as file:
            return file.read().strip()
    except OSError:
        return None


def attack_stopped(skan, folder, number):
    """A stopped command: the request to stop reaches it nevertheless."""
    serving, begin = Serving(skan, folder, ["sleep", "60"]), time.monotonic()
    problems = []
    if serving.child:
        os.kill(serving.child, signal.SIGSTOP)
        time.sleep(0.2)
        begin = time.monotonic()
        serving.process.send_signal(number)
        code = serving.ended(5)
        if code != 128 + number:
            problems.append(f"5 s after {signal.Signals(number).name}: {code}")
    else:
        problems.append("the command does not start")
    seconds = time.monotonic() - begin
    serving.end()
    return problems, seconds, 0


def attack_killed(skan, folder):
    """kill -9 of skan: the command ends, too."""
    serving, begin = Serving(skan, folder, ["sleep", "60"]), time.monotonic()
    problems = [] if serving.child else ["the command does not start"]
    serving.process.kill()
    serving.ended(5)
    end = time.monotonic() + 5
    while processes_of(serving.process.pid) and time.monotonic() < end:
        time.sleep(0.05)
    if processes_of(serving.process.pid):
        problems.append("the command runs on")
    seconds = time.monotonic() - begin
    serving.end()
    return problems, seconds, 0


def attack_start(skan, folder, command, code):
    """What cannot be started: 127 for what is not there, 126 for what is no program."""
    own = tempfile.mkdtemp(dir=folder)
    os.symlink("loop", os.path.join(own, "loop"))
    for name, mode in (("plain", 0o644), ("text", 0o755)):
        with open(os.path.join(own, name), "w") as file:
            file.write("hello\n")
        os.chmod(os.path.join(own, name), mode)
    ran = Ran([skan, "serve", "-q", "--", command], own, 10)
    problems = ran.problems((code,), CLIENT_MEMORY)
    if b"cannot start" not in ran.errors:
        problems.append(f"it says {ran.errors[-200:]!r}")
    shutil.rmtree(own)
    return problems, ran.seconds, ran.memory


STARTS = {"/no-such-folder": 127, "no-such-program": 127, "./none": 127, "/no-such-folder/x": 127, "plain/x": 127,
          "/etc/passwd/x": 127, "loop": 127, "./loop": 127, "x" * 300: 127, "./" + "x" * 300: 127, "./plain": 126, "./text": 126, "/": 126,
          ".": 126}


def beside_cases():
    scripts = {f"skan-http {what}": b"#!/bin/sh\n%s\n" % text.encode() for what, text in HELPERS.items()}
    for name, content in {**scripts, **{f"skan-http {what}": content for what, content in FILES_IN_PLACE.items()}}.items():
        yield name, attack_helper, (content,)
    yield "a redirect of --actual", attack_actual, ()
    for number in (signal.SIGTERM, signal.SIGINT):
        yield f"a stopped command, {number.name}", attack_stopped, (number,)
    yield "kill -9 beside a command", attack_killed, ()
    for command, code in STARTS.items():
        yield f"the command {command[:20]!r}", attack_start, (command, code)


def beside_attacks(skan, folder, wanted, tally):
    for name, function, arguments in beside_cases():
        if wanted in name:
            tally.add("beside", name, *function(skan, folder, *arguments))
