"""Slow clients, as a process of their own so that the good client is not held up by them:

    dribble.py PORT COUNT SECONDS FIRST MORE

COUNT connections to a port of this machine, each of which sends FIRST (as a Python literal of bytes), and then every 50 ms
a byte of MORE; one that the server closes connects again at once.
"""
import ast
import errno
import select
import socket
import sys
import time

PORT, COUNT, SECONDS = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
FIRST, MORE = map(ast.literal_eval, sys.argv[4:6])


def main():
    poller, connections = select.epoll(), {}
    total = 0

    def connect():
        nonlocal total
        connection = socket.socket()
        connection.setblocking(False)
        if connection.connect_ex(("127.0.0.1", PORT)) not in (0, errno.EINPROGRESS):
            connection.close()
            return
        total += 1
        connections[connection.fileno()] = connection
        poller.register(connection, select.EPOLLOUT)

    def drop(number):
        poller.unregister(number)
        connections.pop(number).close()

    end, turn, more = time.monotonic() + SECONDS, time.monotonic(), 0
    while time.monotonic() < end:
        for _ in range(min(200, COUNT - len(connections))):
            connect()
        for number, events in poller.poll(0.01):
            connection = connections[number]
            try:
                if events & select.EPOLLOUT:
                    connection.send(FIRST)
                    poller.modify(number, select.EPOLLIN)
                elif not connection.recv(4096):
                    drop(number)
            except OSError:
                drop(number)
        if time.monotonic() > turn:
            turn, more = time.monotonic() + 0.05, more + 1
            for number in list(connections):
                try:
                    connections[number].send(MORE[more % len(MORE):][:1])
                except BlockingIOError:
                    pass
                except OSError:
                    drop(number)
    print(total)


main()
