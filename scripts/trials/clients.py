"""What a hostile client does, and the bytes that it sends."""
import contextlib
import errno
import os
import re
import select
import socket
import subprocess
import sys
import threading
import time

from shared import REPOSITORY, Started
from trials.run import PAGE


def quietly(function, *arguments):
    with contextlib.suppress(OSError):
        return function(*arguments)


def flood(server, data, seconds, times=None, reads=True, receive=None):
    """Sends the same over one connection for a while; gives the bytes that came back."""
    got, end, count = 0, time.monotonic() + seconds, 0
    with server.connect(receive=receive) as connection:
        connection.setblocking(False)
        pending = b""
        while time.monotonic() < end and (times is None or count < times):
            try:
                if not pending:
                    pending, count = data, count + 1
                pending = pending[connection.send(pending):]
            except BlockingIOError:
                time.sleep(0.001)
            except OSError:
                break
            while reads:
                try:
                    part = connection.recv(1 << 20)
                    if not part:
                        return got
                    got += len(part)
                except BlockingIOError:
                    break
                except OSError:
                    return got
    return got


def holding(server, count, first, more, seconds):
    """Keeps connections open, and adds to each now and then."""
    connections, latest = [], time.monotonic() + 20
    for _ in range(count):
        connection = quietly(server.connect, 2) if time.monotonic() < latest else None
        if connection:
            quietly(connection.sendall, first)
            connections.append(connection)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for connection in connections:
            connection.setblocking(False)
            if more:
                quietly(connection.send, more)
        time.sleep(0.2)
    for connection in connections:
        connection.close()


def dribble(port, count, seconds, first, more):
    """As many connections, each of which sends the first bytes, and then every 50 ms one of the others; how many were made.

    One that the server closes connects again at once.
    """
    poller, connections = select.epoll(), {}
    total = 0

    def connect():
        nonlocal total
        connection = socket.socket()
        connection.setblocking(False)
        if connection.connect_ex(("127.0.0.1", port)) not in (0, errno.EINPROGRESS):
            connection.close()
            return
        total += 1
        connections[connection.fileno()] = connection
        poller.register(connection, select.EPOLLOUT)

    def drop(number):
        poller.unregister(number)
        connections.pop(number).close()

    end, turn, place = time.monotonic() + seconds, time.monotonic(), 0
    while time.monotonic() < end:
        for _ in range(min(200, count - len(connections))):
            connect()
        for number, events in poller.poll(0.01):
            connection = connections[number]
            try:
                if events & select.EPOLLOUT:
                    connection.send(first)
                    poller.modify(number, select.EPOLLIN)
                elif not connection.recv(4096):
                    drop(number)
            except OSError:
                drop(number)
        if time.monotonic() > turn:
            turn, place = time.monotonic() + 0.05, place + 1
            for number in list(connections):
                try:
                    connections[number].send(more[place % len(more):][:1])
                except BlockingIOError:
                    pass
                except OSError:
                    drop(number)
    return total


def dribbling(server, count, first, more, seconds):
    """Slow clients, as a process of their own so that the good client is not held up by them."""
    call = f"from trials.clients import dribble; print(dribble({server.port}, {count}, {seconds}, {first!r}, {more!r}))"
    attacker = Started.popen([sys.executable, "-Bc", call], cwd=os.path.join(REPOSITORY, "scripts"), stdout=subprocess.PIPE)
    total = int(attacker.communicate(timeout=seconds + 60)[0] or 0)
    if total <= count:
        return [f"{total} connections were made: no place was taken from anybody"]


def in_threads(count, function):
    threads = [threading.Thread(target=lambda number=number: quietly(function, number), daemon=True) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)


def batch(server, requests):
    """Sends requests one behind the other over one connection, and reads until all are answered."""
    with server.connect() as connection:
        connection.sendall(b"".join(requests))
        connection.shutdown(socket.SHUT_WR)
        while quietly(connection.recv, PAGE):
            pass


def get(path, *headers):
    lines = "".join(f"{line}\r\n" for line in headers)
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{lines}\r\n".encode()


def answer(server, path, *headers):
    """All that is answered; empty when nothing is."""
    return server.ask(get(path, "Connection: close", *headers), 60) or b""


GET = get("/healthz")


def query(number, path=b"/api/v2/conversion_value"):
    return (b"GET %s?a=k&p=iOS&i=com.example.app&app_v=1.0&n=e&v=17.4&idfv=%032x HTTP/1.1\r\nHost: localhost\r\n\r\n"
            % (path, number))


def posted(body, path=b"/postbacks"):
    return b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s" % (path, len(body), body)


class OpenPage:
    """A page that reads all that the server sends."""

    def __init__(self, server, reads=True):
        self.connection = server.connect(receive=None if reads else 4096)
        self.connection.sendall(get("/events"))
        self.received = b""
        while b'"run":"' not in self.received:
            self.received += self.connection.recv(PAGE)
        self.run = re.search(rb'"run":"([^"]*)"', self.received)[1].decode()
        if reads:
            threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while quietly(self.connection.recv, 1 << 20):
            pass

    def close(self):
        self.connection.close()


def fill(server, count):
    """As many requests of a thousand phones."""
    for start in range(0, count, 500):
        batch(server, [query((start + each) % 1000) for each in range(500)])


def whole(data):
    """Whether an answer has all the bytes that its head states."""
    length = re.search(rb"Content-Length: (\d+)", data)
    return length and len(data) - data.index(b"\r\n\r\n") - 4 == int(length[1])
