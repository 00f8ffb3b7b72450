"""Hostile files and arguments."""
import concurrent.futures
import fcntl
import json
import os
import shutil
import tempfile
import zlib

from shared import MODEL
from trials.endpoint import packed
from trials.server import POSTBACK
from trials.run import FILE_MEMORY, GRACE, Ran, register

FILES = []
STATE = "skan-state.json"


def files(name, arguments, prepare=None, codes=(65, 66, 73), seconds=60, **options):
    FILES.append((name, arguments, prepare, codes, seconds, options))


def written(**contents):
    """Writes files, given as name=content with _ for the dot."""
    def prepare(folder):
        for name, content in contents.items():
            with open(os.path.join(folder, name.replace("_", ".")), "wb") as file:
                file.write(content if isinstance(content, bytes) else content.encode())
    return prepare


def pipe(name):
    return lambda folder: os.mkfifo(os.path.join(folder, name))


def linked(name, target):
    return lambda folder: os.symlink(target, os.path.join(folder, name))


def sparse(name, size, beginning=b""):
    def prepare(folder):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(beginning)
            file.truncate(size)
    return prepare


def long_file(name, beginning, part, times):
    def prepare(folder):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(beginning)
            for _ in range(times):
                file.write(part)
    return prepare


def step(**keys):
    return json.dumps(keys) + "\n"


def matched(pattern, name="a" * 40 + "!"):
    return (step(op="register") + step(op="event", name="x", at="+1m", answer={"text": name},
                                       expect={"message": {"$matches": pattern}, "handler": {"$matches": pattern}}))


PATHS = ("v1/launch", "v1/evt", "v2/evt", "v1/conversion_value", "v2/conversion_value")
DEVICE = "i=com.example.app&p=iOS&idfv=21DB6612-09B3-4ECC-84AC-B353B0AF1334&n=level"
PHONES = 100_000


def define_captures():
    """Requests of 100,000 parameters in each form of a capture, and captures of 100,000 phones."""
    many = {"unknown": "q%d=1", "bare": "q%d", "of one name": "ve=1", "secret": "a=%05d", "named twice": "q%d=1&q%d=1"}
    number = range(100_000)

    def query(what):
        form = many[what]
        return DEVICE + "&" + "&".join(form.replace("%d", str(n)).replace("%05d", "%05d" % n) for n in
                                       (number[::2] if "twice" in what else number))

    def har(*requests):
        return json.dumps({"log": {"entries": [{"startedDateTime": "2026-01-01T00:00:00Z", "request": request, "response": {
            "status": 200, "content": {"text": "{}"}}} for request in requests]}})

    def pairs(what):
        return [dict(zip(("name", "value"), (item + "=").split("="))) for item in query(what).split("&")]

    def capture(name, content, *options):
        files(name, ["check", "-q", *options, "c"], lambda folder: written(c=content())(folder), (0, 1), seconds=30)

    # The form of a file is found by its first 64 KiB.
    logged = '::1 - - [01/Jan/2026:00:00:00 +0000] "GET /api/%s HTTP/1.1" 200 5\n'

    def journal(path, query):
        return json.dumps({"answer": "{}", "at": 1767225600, "method": "GET", "path": "/api/" + path, "query": query,
                           "status": 200}, separators=(",", ":")) + "\n"

    for path in PATHS:
        url = f"https://{'sdk-api-v1' if 'conversion' in path else 's2s'}.singular.net/api/{path}"
        for what in many:
            capture(f"100,000 parameters, {what}: {path}", lambda url=url, what=what: f"{url}?{query(what)}\n")
        capture(f"100,000 parameters in a form: {path}", lambda url=url: har({
            "method": "POST", "url": url, "postData": {"mimeType": "application/x-www-form-urlencoded", "params": pairs("unknown")}}))
        capture(f"100,000 parameters beside others in the URL: {path}", lambda url=url: har({
            "method": "GET", "url": f"{url}?{DEVICE}", "queryString": pairs("unknown")}))
        # As many as fit into a line.
        capture(f"80,000 parameters of a journal: {path}", lambda path=path: journal(path, {}) + journal(
            path, {pair["name"]: pair["value"] for pair in pairs("bare")[:80_000]}))
        capture(f"100,000 parameters of an access log: {path}", lambda path=path: logged % path + logged % (
            f"{path}?{query('unknown')}"))
        for option in ("--json", "--csv", "--sarif", "--report-junit", "--redacted", "--to-list"):
            files(f"100,000 parameters and {option}: {path}",
                  ["check", "c", option] + (["r"] if option in ("--report-junit", "--redacted", "--to-list") else []),
                  lambda folder, url=url: written(c=har({"url": f"{url}?{query('secret')[:400_000]}&{query('unknown')[:500_000]}"}))(folder),
                  (0, 1), seconds=30)
    # Two requests, whose tables are laid beside each other.
    sums = json.dumps({f"{n:x}": 1 for n in number[:80_000]}, separators=(",", ":"))
    first = {"name": "skan_first_call_to_skadnetwork_timestamp", "value": "1767225600"}
    last = {"name": "skan_last_call_to_skadnetwork_timestamp", "value": "1767225600"}
    for name in ("skan_total_revenue_by_currency", "p0_total_admon_revenue", "e"):
        form = {"mimeType": "application/x-www-form-urlencoded", "params": [first, last, {"name": name, "value": sums}]}
        capture(f"80,000 sums: {name}", lambda form=form: har(*({
            "method": "POST", "url": f"https://s2s.singular.net/api/v1/evt?{DEVICE}{more}", "postData": form} for more in ("", "up"))))
    files("a packed bomb as capture", ["check", "c.gz"], lambda folder: open(
        os.path.join(folder, "c.gz"), "wb").write(packed(bytes(1 << 20), 1024)), (65, 66))

    def phones(folder):
        with open(os.path.join(folder, "c"), "w") as file:
            for phone in range(PHONES):
                query = {"a": "key", "p": "iOS", "i": "com.example.app", "idfv": f"21DB6612-09B3-4ECC-84AC-{phone:012X}", "n": "level",
                         "skan_first_call_to_skadnetwork_timestamp": str(1767225600 + phone), "skan_current_conversion_value": "0",
                         "skan_last_call_to_skadnetwork_timestamp": str(1767225600 + phone)}
                for path, more in (("v2/conversion_value", {"v": "17.4", "app_v": "1"}),
                                   ("v1/evt", {"ve": "17.4", "ip": "8.8.8.8", "att_authorization_status": "0"})):
                    file.write(journal(path, query | more).replace("1767225600,", f"{1767225700 + phone},"))
    # 40 MiB, and 1 KiB a phone, each of which has three findings.
    files("100,000 phones", ["check", "-q", "c"], phones, (1,), memory=(40 << 20) + PHONES * 1024)


def packed_file(name, head, part, times, tail=b""):
    """A file packed by gzip, which unpacks to much."""
    def prepare(folder):
        packer = zlib.compressobj(6, zlib.DEFLATED, 31)
        with open(os.path.join(folder, name), "wb") as file:
            file.write(packer.compress(head))
            for _ in range(times):
                file.write(packer.compress(part))
            file.write(packer.compress(tail) + packer.flush())
    return prepare


def define_packed():
    """Worthless content, packed, for every command that unpacks: 5 MiB with a bound of 4 MiB, and 1.6 GB without an option."""
    entry = b'{"request":{"method":"GET","url":"https://cdn.example/a.png"},"response":{"status":200}},'
    row = b"d1,never,x\n"
    urls, other = b"https://cdn.example/a.png\n", b"# nothing\n"
    model = ["--model", MODEL]
    # Rows without a beginning count for nothing, whatever --max-errors is.
    rows = ["--max-errors", "unlimited"]
    for name, arguments, head, part, tail in (
            ("a capture", ["check"], b'{"log":{"entries":[', entry * 1000, b"{}]}}"),
            ("URLs", ["check"], b"", urls * 1000, b""),
            ("an access log", ["check"], b"", b'1.1.1.1 - - [01/Jan/2026:00:00:00 +0000] "GET /x HTTP/1.1" 200 5\n' * 1000, b""),
            ("an export", ["import", "--check", *rows], b"device,time,name\n", row * 1000, b""),
            ("an export that is imported", ["import", "-o", "o", *rows], b"device,time,name\n", row * 1000, b""),
            ("an export, backtest", ["backtest", *model, *rows], b"device,time,name\n", row * 1000, b""),
            ("a list, backtest", ["backtest", *model], b'{"op":"details"}\n', other * 1000, b""),
            ("an export, fit", ["model", "fit", "--values", "3", *rows], b"device,time,name\n", row * 1000, b"")):
        for size, options in ((5 << 20, ["--max-unpacked", "4MiB"]), (1_600_000_000, [])):
            files(f"{size >> 20} MiB packed, {name}", [*arguments, *options, "c.gz"],
                  packed_file("c.gz", head, part, size // len(part), tail), codes=(65,), says=b"--max-unpacked")


def define_files():
    # Lists.
    def doubling(folder):
        for number in range(40):
            with open(os.path.join(folder, f"l{number}.jsonl"), "w") as file:
                file.write(step(op="include", file=f"l{number + 1}.jsonl") * 2)
        with open(os.path.join(folder, "l40.jsonl"), "w") as file:
            file.write(step(op="session"))
    files("lists that include the next twice, 40 deep", ["replay", "-q", "l0.jsonl"], doubling)

    files("a list that includes a pipe", ["replay", "a.jsonl"],
          lambda folder: (written(a_jsonl=step(op="include", file="p"))(folder), pipe("p")(folder)))
    files("a list that includes /dev/zero", ["replay", "a.jsonl"], written(a_jsonl=step(op="include", file="/dev/zero")))
    files("a list that includes a folder", ["replay", "a.jsonl"], written(a_jsonl=step(op="include", file=".")))
    files("a line of 3 MiB", ["replay", "a.jsonl"], written(a_jsonl='{"op":"' + "a" * (3 << 20) + '"}\n'))
    files("brackets 500,000 deep", ["replay", "a.jsonl"], written(a_jsonl='{"op":"session","expect":' + "[" * 500_000 + "\n"))
    files("a line that never ends", ["replay", "/dev/zero"])
    files("20,000 wrong lines", ["replay", "-q", "a.jsonl"], long_file("a.jsonl", b"", b'{"op":"nothing"}\n' * 1000, 20))
    files("a variable of variables", ["replay", "a.jsonl", "--variable", "@v.txt"], lambda folder: written(
        a_jsonl=step(op="register") + step(op="event", name="${v40}", at="+1m"),
        v_txt="v0=" + "a" * 100 + "\n" + "".join(f"v{n + 1}=${{v{n}}}${{v{n}}}\n" for n in range(40)))(folder),
        codes=(0, 65))
    files("a variable a thousand times in each of a thousand steps", ["replay", "-q", "a.jsonl", "--variable", "@v.txt"],
          written(a_jsonl=step(op="register") + "".join(
              step(op="event", name="${v}" * 1000, after="1s") for _ in range(1000)), v_txt="v=" + "a" * 60_000 + "\n"),
          codes=(0, 65, 1))
    for pattern in ("(a+)+$", "(a|aa)+$", "(a*)*b", "^(([a-z])+.)+[A-Z]([a-z])+$", "(.*)*(.*)*(.*)*x",
                    "a{0,60000}{0,60000}", "(?:(?:a?){30}){30}b", "(((((((((a*)*)*)*)*)*)*)*)*)b"):
        files(f"an expression that takes forever: {pattern}", ["replay", "a.jsonl"], written(a_jsonl=matched(pattern)),
              codes=(1, 65))
    files("an expression in a million lines", ["replay", "-q", "a.jsonl", "--fail-fast"],
          written(a_jsonl=step(op="register") + step(op="event", name="a" * 40 + "!", after="1s",
                                                     expect={"outcome": {"$matches": "(a+)+$"}}) * 1000), codes=(1,))
    # Devices, pipes, folders and links in the place of files.
    for name, prepare in (("a pipe", pipe("f")), ("/dev/zero", linked("f", "/dev/zero")), ("a folder",
                          lambda folder: os.mkdir(os.path.join(folder, "f"))), ("a link to itself", linked("f", "f")),
                          ("a file of 1 GiB", sparse("f", 1 << 30)), ("/dev/full", linked("f", "/dev/full"))):
        codes = (65, 66, 73)
        files(f"{name} as device file", ["session", "--state", "f"], prepare, codes)
        files(f"{name} as device file that is shown", ["details", "--state", "f"], prepare, codes)
        files(f"{name} as what is to be written", ["timeline", "--state", "s.json", "--svg", "f"], prepare,
              (0, 66, 73) if name == "a file of 1 GiB" else codes, phone="s.json")
        # A list, a capture, an export and postbacks may come from a pipe, which is waited for until Ctrl-C.
        waits = dict(interrupt_after=1.0) if name == "a pipe" else {}
        ended = (130,) if name == "a pipe" else (0, 1, *codes)
        files(f"{name} as model", ["session", "--model", "f"], prepare, (*codes, 130), phone=STATE, **waits)
        files(f"{name} as key", ["verify", POSTBACK, "--key", "f"], prepare, (1, *codes, 130), **waits)
        files(f"{name} as SDK key", ["session", "--endpoint", "http://127.0.0.1:1/", "--sdk-key-file", "f"],
              prepare, (69, 77, *codes, 130), phone=STATE, **waits)
        files(f"{name} as variables", ["replay", "a.jsonl", "--variable", "@f"], lambda folder, prepare=prepare: (
            written(a_jsonl=step(op="session"))(folder), prepare(folder)), (0, *codes, 130), **waits)
        files(f"{name} as list", ["replay", "f"], prepare, ended, **waits)
        files(f"{name} as capture", ["check", "f"], prepare, ended, **waits)
        files(f"{name} as export", ["import", "--check", "f"], prepare, ended, **waits)
        files(f"{name} as postbacks", ["receive", "f"], prepare, (0, 1, *codes))
        files(f"{name} as received postbacks", ["receive", POSTBACK, "--into", "f"], prepare, ended + codes)
        files(f"{name} as project", ["details", "--state", "s.json"], prepare, (*codes, 64, 130), phone="s.json",
              variables=dict(SKAN_PROJECT="f"), **waits)
    for name in ("register", "session"):
        files(f"a pipe as lock, {name}", [name], lambda folder: os.mkfifo(os.path.join(folder, "skan-state.json.lock")),
              (66, 73))
    # Standard input that never ends, or says nothing.
    for arguments in (["replay", "-"], ["check", "-"], ["verify", "-"], ["receive", "-"], ["import", "--check", "-"],
                      ["model", "convert", "-"]):
        files(f"an endless standard input: {arguments[0]}", arguments, None, (1, 65, 66), stdin="/dev/zero")
        files(f"a silent standard input, and Ctrl-C: {arguments[0]}", arguments, None, (130,), stdin="silent",
              interrupt_after=1.0)
    # Packed and large inputs.
    files("a packed bomb", ["import", "--check", "e.csv.gz"], lambda folder: open(
        os.path.join(folder, "e.csv.gz"), "wb").write(packed(bytes(1 << 20), 1024)), (65, 66))
    define_packed()
    files("a packed line without an end", ["import", "--check", "e.csv.gz"], lambda folder: open(
        os.path.join(folder, "e.csv.gz"), "wb").write(packed(b"a" * (1 << 20), 512)), (65, 66))
    files("a quoted field without an end", ["import", "--check", "e.csv"], long_file("e.csv", b'a,b\n"', b"x,\n" * 10_000, 3000),
          (65, 66))
    files("a model 100,000 deep", ["model", "check", "m.json"], written(m_json="[" * 100_000))
    files("a model with 300,000 events", ["model", "check", "-q", "m.json"], written(m_json=json.dumps({
        "app_id": "1", "fine_grained_conversion_value_mappings": [{"fine_grained_conversion_value": 1, "conversion_value_mapping": {
            "mapped_events": [{"mapped_event_name": f"e{number}"} for number in range(300_000)]}}]})), (0, 65))
    files("a postback 100,000 deep", ["verify", "p.json"], written(p_json="[" * 100_000), (1, 65))
    files("a HAR 100,000 deep", ["check", "c.har"], written(c_har='{"log":' * 100_000), (65, 66))
    files("a HAR whose entries never end", ["check", "c.har"],
          long_file("c.har", b'{"log":{"entries":[', b'{"request":{}},' * 1000, 2000), (65, 66))
    files("an access log of one line", ["check", "a.log"], long_file("a.log", b"127.0.0.1 - - [", b"a" * 100_000, 1000), (65, 66))
    define_captures()
    # Locks.
    held = dict(phone=STATE, held=("skan-state.json.lock", "received.jsonl.lock"))
    files("a lock that another holds", ["session", "--lock-timeout", "1s"], None, (75,), seconds=1 + GRACE, **held)
    files("a lock that another holds for good, and Ctrl-C", ["session", "--lock-timeout", "1000d"], None, (130,),
          interrupt_after=1.0, seconds=1 + GRACE, **held)
    files("postbacks that another holds", ["receive", POSTBACK, "--lock-timeout", "1s"], None, (75,), seconds=1 + GRACE, **held)
    # Readers and writers that are gone.
    files("a command beside the server that ignores its end", ["serve", "--port", "0", "--", "sh", "-c",
                                                               "trap '' TERM INT; sleep 8"], None, (0, 130, 137, 143, 1),
          interrupt_after=1.0, seconds=12 + GRACE)
    files("a thousand retries of an hour", ["replay", "a.jsonl", "--endpoint", "http://127.0.0.1:1/", "--retry", "1000",
                                            "--retry-interval", "1h"],
          written(a_jsonl=step(op="register") + step(op="session", at="+1m")), (130,), interrupt_after=1.5, seconds=1 + GRACE)


def attack_files(skan, folder, name, arguments, prepare, codes, seconds, options):
    own = tempfile.mkdtemp(dir=folder)
    if "phone" in options:
        register(skan, own, "--state", options["phone"])
    if prepare:
        prepare(own)
    held = [open(os.path.join(own, each), "w") for each in options.get("held", ())]
    for each in held:
        fcntl.flock(each, fcntl.LOCK_EX)
    stdin, ends = None, []
    if options.get("stdin") == "silent":
        ends = os.pipe()
        stdin = ends[0]
    elif options.get("stdin"):
        stdin = open(options["stdin"], "rb")
    ran = Ran([skan, *arguments], own, seconds, stdin=stdin, interrupt_after=options.get("interrupt_after"),
              **options.get("variables", {}))
    for each in ends:
        os.close(each)
    for each in held:
        each.close()
    problems = ran.problems(codes, options.get("memory", FILE_MEMORY))
    if options.get("says", b"") not in ran.errors:
        problems.append(f"it says {ran.errors[-200:]!r}")
    left = [each for each in os.listdir(own) if each.endswith(".tmp")]
    if left:
        problems.append(f"left: {left}")
    shutil.rmtree(own)
    return problems, ran.seconds, ran.memory


def file_attacks(skan, folder, wanted, tally):
    define_files()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        futures = {pool.submit(attack_files, skan, folder, *each): each[0] for each in FILES if wanted in each[0]}
        tally.collect("files", futures)
