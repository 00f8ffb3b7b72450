"""How many postbacks `skan receive` and `skan serve --postbacks` verify and keep, against one `openssl` each."""
import base64
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from functools import partial

from measure import in_turn, last_core, median_cpu, median, run

# How often each comes: a copy is verified as the first is.
COPIES = 10
# Of each load of the server.
CONNECTIONS = 64
SEPARATOR = "\u2063"


def postback(number):
    """A postback of version 4.0 without its signature, and the text that is signed."""
    body = {
        "version": "4.0", "ad-network-id": "com.example", "source-identifier": "5239", "app-id": 525463029,
        "transaction-id": f"{number:08x}-0000-4000-8000-000000000000", "redownload": False, "source-app-id": 1234567891,
        "fidelity-type": 1, "did-win": True, "postback-sequence-index": 0, "conversion-value": number % 64,
    }
    signed = [body["version"], body["ad-network-id"], body["source-identifier"], str(body["app-id"]),
              body["transaction-id"], "false", str(body["source-app-id"]), "1", "true", "0"]
    return body, SEPARATOR.join(signed)


def bodies(folder, count):
    """Makes a key pair, and signs postbacks with it."""
    def openssl(*arguments, text=None):
        return subprocess.run(["openssl", *arguments], cwd=folder, input=text, check=True, capture_output=True).stdout

    openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "key.pem")
    openssl("ec", "-in", "key.pem", "-pubout", "-out", "public.pem")
    lines = []
    for number in range(count):
        body, text = postback(number)
        with open(os.path.join(folder, "text"), "w") as file:
            file.write(text)
        body["attribution-signature"] = base64.b64encode(
            openssl("dgst", "-sha256", "-sign", "key.pem", "text")).decode()
        lines.append(json.dumps(body))
    with open(os.path.join(folder, "signature"), "wb") as file:
        file.write(openssl("dgst", "-sha256", "-sign", "key.pem", "text"))
    return lines


def receive(skan, folder):
    """One run into a new file."""
    received = os.path.join(folder, "received.jsonl")
    if os.path.exists(received):
        os.remove(received)
    return run([skan, "receive", "bodies.jsonl", "--into", received, "--key", "public.pem", "--quiet"], folder, last_core())


def load(skan, folder, seconds):
    """Postbacks a second, and the server's processor time for one."""
    received = os.path.join(folder, "served.jsonl")
    if os.path.exists(received):
        os.remove(received)
    command = [skan, "serve", "--port", "0", "--postbacks", received, "--key", "public.pem"]
    server = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        port = server.stdout.readline().rsplit(":", 1)[-1].strip()
        out = subprocess.run(
            ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "-s", "post.lua", f"http://127.0.0.1:{port}/postbacks"],
            cwd=folder, check=True, capture_output=True, text=True).stdout
        if "Non-2xx" in out or "Socket errors" in out:
            sys.exit(f"bench: the server failed under load:\n{out}")
    finally:
        server.terminate()
        _, _, usage = os.wait4(server.pid, 0)
        server.returncode = 0
    count = int(re.search(r"(\d+) requests in", out).group(1))
    return float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1)), (usage.ru_utime + usage.ru_stime) / count


def flush_time(folder, count=100):
    """Seconds that the disk takes for a flush."""
    path = os.path.join(folder, "flushed")
    file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    began = time.perf_counter()
    for _ in range(count):
        os.write(file, b"x" * 700)
        os.fsync(file)
    os.close(file)
    return (time.perf_counter() - began) / count


def measure(skan, options, folder, figures):
    if not shutil.which("openssl"):
        print("receive: not measured. It needs openssl")
        return
    lines = bodies(folder, options.postbacks)
    with open(os.path.join(folder, "bodies.jsonl"), "w") as file:
        file.write("\n".join(lines * COPIES) + "\n")
    verify = ["openssl", "dgst", "-sha256", "-verify", "public.pem", "-signature", "signature", "text"]
    runs = in_turn(options.rounds, {
        "skan": partial(receive, skan, folder), "openssl": partial(run, verify, folder, last_core()),
    })
    count = options.postbacks * COPIES
    remark = f"{median_cpu(runs['skan']) / count * 1e6:.0f} microseconds of processor time each"
    figures.least("postbacks a second: skan receive, one core", count / median(runs["skan"]), 1000, remark)
    figures.unjudged("one openssl for each / skan receive", median(runs["openssl"]) * count / median(runs["skan"]),
                     f"{median(runs['openssl']) * 1000:.1f} ms for one")
    if not shutil.which("wrk"):
        print("receive: the server is not measured. It needs wrk, a load generator")
        return
    with open(os.path.join(folder, "post.lua"), "w") as file:
        file.write('local bodies, next = {}, 0\nfor line in io.lines("bodies.jsonl") do bodies[#bodies + 1] = line end\n'
                   "request = function()\n  next = next % #bodies + 1\n"
                   '  return wrk.format("POST", nil, nil, bodies[next])\nend\n')
    loads = [load(skan, folder, options.seconds) for _ in range(options.rounds)]
    rate, cost = (statistics.median(part) for part in zip(*loads))
    figures.least(f"postbacks a second: skan serve, {CONNECTIONS} connections", rate, 1000,
                  f"{cost * 1e6:.0f} microseconds of processor time each; a flush of this disk: {flush_time(folder) * 1e3:.1f} ms")
