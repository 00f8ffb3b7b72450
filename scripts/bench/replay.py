"""How fast lists run, and in how much memory.

What runs on one core is measured in its processor time, so that others on the machine do not count.
"""
import os

from measure import REPOSITORY, in_turn, last_core, make, median, median_cpu, run, share


def measure(skan, options, folder, figures):
    # The million and its phones, unless the inputs are small.
    events, phones = options.events, options.events // 50
    def make_list(name, *options):
        make(os.path.join(folder, name), "events", *options)

    make_list("million.jsonl", "--events", events, "--phones", phones)
    make_list("tenth.jsonl", "--events", events // 10, "--phones", phones // 10)
    make_list("short-lives.jsonl", "--events", events // 10, "--phones", phones)
    for seed in (2, 3):
        make_list(f"half-{seed}.jsonl", "--events", events // 2, "--phones", phones // 2, "--seed", seed)
    models = os.path.join(REPOSITORY, "fixtures", "models")
    model, rates = os.path.join(models, "mixed.json"), os.path.join(models, "rates.json")
    answers = ["--model", model, "--rates", rates]
    core = last_core()

    def quiet(name):
        return lambda: run([skan, "replay", "--quiet", "--jobs", "1", *answers, name], folder, core)

    def results():
        with open(os.path.join(folder, "results.jsonl"), "wb") as file:
            return run([skan, "replay", "--json", *answers, "tenth.jsonl"], folder, core, file)

    runs = in_turn(options.rounds, {
        "million": quiet("million.jsonl"),
        "tenth": quiet("tenth.jsonl"),
        "short lives": quiet("short-lives.jsonl"),
        "results": results,
    })
    os.remove(os.path.join(folder, "results.jsonl"))
    timed = ("million", "tenth", "results")
    print("        " + "; ".join(f"{name}: {share(runs[name]):.0%} of its time on the core" for name in timed))
    ours, tenth, took = (median_cpu(runs[name]) for name in timed)
    figures.least(f"events a second: {events:,} of {phones:,} phones", events / ours, 1_600_000, f"{ours:.2f} s")
    figures.most("ten times the events and phones / once", ours / tenth, 12, f"{ours:.2f} s and {tenth:.3f} s")
    figures.least("steps a second with --json to a file", events / 10 / took, 50_000,
                  f"{took / tenth:.1f} times as long as only counting them")
    million, short = (max(run.mebibytes for run in runs[name]) for name in ("million", "short lives"))
    figures.most("MiB for the million", million, 59)
    figures.unjudged("memory for ten times the events of as many phones / once", million / short,
                 f"{million:.1f} MiB and {short:.1f} MiB")

    def jobs(count):
        halves = ["half-2.jsonl", "half-3.jsonl"]
        return lambda: run([skan, "replay", "--quiet", "--jobs", str(count), *answers, *halves], folder)

    reports = ["--report-json", "million.json", "--report-junit", "million.xml", "--report-tap", "million.tap"]
    reported = in_turn(1, {"reports": lambda: run(
        [skan, "replay", "--quiet", "--jobs", "1", *answers, *reports, "million.jsonl"], folder)})
    for name in ("million.json", "million.xml", "million.tap"):
        os.remove(os.path.join(folder, name))
    figures.most("MiB for the million with three reports", max(run.mebibytes for run in reported["reports"]), 61)

    def threads(count):
        return lambda: run([skan, "replay", "--quiet", "--jobs", str(count), *answers, "million.jsonl"], folder)

    if (os.cpu_count() or 1) < 2:
        print("--jobs 2: not measured on one core")
        return
    runs = in_turn(options.rounds, {"one": threads(1), "two": threads(2)})
    one, two = median(runs["one"]), median(runs["two"])
    figures.least("one list with --jobs 1 / --jobs 2", one / two, 1.8, f"{one:.2f} s and {two:.2f} s")
    runs = in_turn(options.rounds, {"one": jobs(1), "two": jobs(2)})
    one, two = median(runs["one"]), median(runs["two"])
    figures.least("two files with --jobs 1 / --jobs 2", one / two, 1.8, f"{one:.2f} s and {two:.2f} s")
