#!/usr/bin/env python3
"""Runs a backtest in Apache Spark: one process of skan a partition, and their parts added up.

    spark.py --skan PATH --model FILE [--rates FILE] [--preset NAME | --mapping FILE] [--format csv|parquet|delta]
             [--sql QUERY] [--device COLUMN] [--partitions N] [--master URL] EVENTS… [-- OPTION…]

EVENTS are exports as Spark reads them: a path, a pattern or an address of CSV files with a header, of Parquet files, or of
Delta tables (for which the session needs the package of Delta). --sql selects from them, as the view `events`. The rows
are divided by --device and keep their order, each process gets whole devices on its standard input, as JSON Lines with every
column, null or not, and its exit code is checked. A partition does not say whose export it is, so it is said for all:
--preset (default plain) or --mapping. Timestamps with a zone are in UTC; one without a zone needs `-- --timezone`.

The program and the files that it reads are sent to the executors; so the program must run there (scripts/install links one
statically). Options behind -- go to each process, as in `-- --by campaign`. Prints what `skan backtest --merge --json` prints.
"""
import argparse
import functools
import os
import subprocess
import sys
import tempfile
import threading
import uuid

from pyspark import SparkFiles
from pyspark.rdd import portable_hash
from pyspark.sql import SparkSession, functions


def through(program, arguments, files, count):
    """What runs on a partition: one process; its standard input are the lines, its standard output the result.

    Arguments that are a file's option get its path on the executor, which is not that of the driver. Each part says of which
    run it is, and which of how many.
    """
    run_name = str(uuid.uuid4())

    def run(index, lines):
        command = [SparkFiles.get(program), *arguments, "--run", run_name, "--part", f"{index + 1}/{count}"]
        for option, name in files:
            command += [option, SparkFiles.get(name)]
        process = subprocess.Popen(
            [*command, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=dict(os.environ))
        errors, failures = [], []

        def feed():
            try:
                for line in lines:
                    process.stdin.write(line.encode() + b"\n")
            except BrokenPipeError:
                pass  # The exit code says why.
            except BaseException as failure:
                failures.append(failure)
                process.kill()
            finally:
                try:
                    process.stdin.close()
                except OSError:
                    pass

        threads = [threading.Thread(target=feed, daemon=True),
                   threading.Thread(target=lambda: errors.append(process.stderr.read()), daemon=True)]
        for thread in threads:
            thread.start()
        results = process.stdout.read().decode().splitlines()
        code = process.wait()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]
        if code != 0:
            text = b"".join(errors)[-2000:].decode(errors="replace")
            raise RuntimeError(f"skan ended with {code}: {text}")
        return iter(results)

    return run


def main():
    arguments, more = sys.argv[1:], []
    if "--" in arguments:
        more = arguments[arguments.index("--") + 1:]
        arguments = arguments[: arguments.index("--")]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--skan", required=True, help="the program")
    parser.add_argument("--model", required=True, help="the conversion model")
    parser.add_argument("--rates", help="exchange rates")
    preset = parser.add_mutually_exclusive_group()
    preset.add_argument("--preset", help="whose export it is (default plain)")
    preset.add_argument("--mapping", help="which columns hold what")
    parser.add_argument("--format", choices=["csv", "parquet", "delta"], default="csv", help="of EVENTS (default csv)")
    parser.add_argument("--sql", help="the query that selects the rows from the view events")
    parser.add_argument("--device", default="device", help="the column of the device, or an expression (default device)")
    parser.add_argument("--partitions", type=int, default=8, help="processes (default 8)")
    parser.add_argument("--master", help="of the cluster (default: that of spark-submit)")
    parser.add_argument("events", nargs="+", metavar="EVENTS")
    options = parser.parse_args(arguments)

    # Timestamps are written in the session's time zone.
    builder = SparkSession.builder.appName("skan backtest").config("spark.sql.session.timeZone", "UTC")
    if options.master:
        builder = builder.master(options.master)
    spark = builder.getOrCreate()
    context = spark.sparkContext
    # Sent with mode 755.
    context.addFile(os.path.abspath(options.skan))
    files = []
    for option in ("model", "rates", "mapping"):
        path = getattr(options, option)
        if path:
            context.addFile(os.path.abspath(path))
            files.append((f"--{option}", os.path.basename(path)))

    if options.format == "csv":
        # Every field as text, so that amounts stay as they are written.
        events = spark.read.csv(options.events, header=True, escape='"', multiLine=True)
    elif options.format == "parquet":
        events = spark.read.parquet(*options.events)
    else:
        tables = [spark.read.format("delta").load(path) for path in options.events]
        events = functools.reduce(lambda one, other: one.unionByName(other, allowMissingColumns=True), tables)
    if options.sql:
        events.createOrReplaceTempView("events")
        events = spark.sql(options.sql)
    device = options.device if options.device not in events.columns else f"`{options.device}`"
    columns = functions.struct(*[functions.col(f"`{name}`") for name in events.columns])
    line = functions.to_json(columns, {
        "ignoreNullFields": "false", "timestampFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX",
        "timestampNTZFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSS"})
    # skan sorts the rows of a device by time; those of the same moment stay in the order of the input.
    keyed = events.select(
        functions.expr(device).cast("string").alias("device"),
        functions.monotonically_increasing_id().alias("sequence"), line.alias("line"))
    given = [] if options.mapping else ["--preset", options.preset or "plain"]
    parts = (
        keyed.rdd.map(lambda row: ((row.device or "", row.sequence), row.line))
        .repartitionAndSortWithinPartitions(options.partitions, lambda key: portable_hash(key[0]))
        .values()
        .mapPartitionsWithIndex(through(
            os.path.basename(options.skan), ["backtest", "--grouped", "--partial", "--jobs", "1", *given, *more], files,
            options.partitions))
        .collect())
    spark.stop()

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "parts.jsonl")
        with open(path, "w") as file:
            file.writelines(f"{part}\n" for part in parts)
        sys.exit(subprocess.run([options.skan, "backtest", "--merge", "--json", path]).returncode)


main()
