"""A hostile endpoint against the client."""
import concurrent.futures
import os
import shutil
import socket
import struct
import tempfile
import threading
import time

from trials.answers import ATTACKS, define_attacks, whole
from trials.run import CLIENT_MEMORY, GRACE, KEY, PAGE, Ran, register, run


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
