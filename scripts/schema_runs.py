"""What skan prints or writes as JSON, for scripts/schemas: command, schema, and a line of the shell.

Each line of standard output is a document. The lines run one after the other in one folder, which has fixtures in it;
together they print every key of every schema.
"""

import shlex

ANSWER = """'{"json":{"conversion_value":5,"skan_updated_coarse_value":1,"skan_updated_lock_window_value":%s,"status":"ok"}}'"""
MIXED = "fixtures/models/mixed.json"

# What the live page of a server asks for; the last is printed.
PAGE = """
skan register -q --state page.json
skan session -q --state page.json
curl -s "$SKAN_ENDPOINT/api/v2/conversion_value?p=iOS&n=x&i=com.example.app&idfv=IDFV-1" > /dev/null
curl -s "$SKAN_ENDPOINT/api/v1/launch" -d a=K > /dev/null
curl -s -H 'X-SKAN-Fault: close' "$SKAN_ENDPOINT/api/v2/conversion_value?p=iOS" > /dev/null
curl -s "$SKAN_ENDPOINT/postbacks" -d @fixtures/postbacks/apple-4.0-fine.json > /dev/null
curl -s -H "Origin: $SKAN_ENDPOINT" "$SKAN_ENDPOINT/page/trouble" > /dev/null \\
  -d '{"fault":"empty","phone":{"app":"com.example.app","kind":"idfv","id":"IDFV-1"}}'
curl -s "$SKAN_ENDPOINT/page/trouble" > trouble.json
curl -s "$SKAN_ENDPOINT/page/postbacks" > postbacks.json
curl -sN -m 1 "$SKAN_ENDPOINT/events" > events
curl -s "$SKAN_ENDPOINT/page/phone?app=com.example.app&id=IDFV-1" > phone.json
curl -s "$SKAN_ENDPOINT/page/request?n=1" > request.json
curl -s "$SKAN_ENDPOINT/page/setup"
"""
KEY = "--key fixtures/postbacks/simulated-public.pem"
EXPORT = "--mapping fixtures/backtest/mapping.json fixtures/backtest/may.csv"

# The life of one phone, by single commands; the device file is checked after each.
LIFE = [
    ("install", "result", "skan install --ios 17.4 --setting clock-start=first_launch --json"),
    ("register", "result", "skan register --at 2026-01-01T00:00:00Z --json"),
    ("session", "request", "skan session --dry-run --json"),
    ("session", "result", f"skan session --after 1h --answer {ANSWER % 'false'} --json"),
    ("session", "result", f"skan session --after 1h --framework-error 10 --answer {ANSWER % 'false'} --json"),
    ("event", "request", "skan event purchase --dry-run --json --forward"),
    ("event", "result",
     f"skan event purchase --after 1h --answer {ANSWER % 'true'} --revenue 9.99 --currency USD --json"),
    ("session", "result", f"skan session --after 2d --model {MIXED} --forward --json"),
    ("revenue", "result", "skan revenue 1.5 EUR --after 1h --ad-monetization --json"),
    ("s2s session", "request", "skan s2s session --dry-run --post --json"),
    ("s2s session", "result", f"skan s2s session --after 1m --model {MIXED} --json"),
    ("s2s event", "request", "skan s2s event purchase --dry-run --json"),
    ("s2s event", "result", f"skan s2s event purchase --after 1m --model {MIXED} --json"),
    ("session", "result", """skan session --after 1h --answer '{"json":{"conversion_value":64}}' --json"""),
    ("session", "result", f"skan session --after 40d --answer {ANSWER % 'true'} --json"),
    ("session", "request", "skan session --after 40d --dry-run --json"),
    ("update", "result", "skan update --ios 18.0 --app-version 2.0 --json"),
    ("relaunch", "result", "skan relaunch --json"),
    ("details", "result", "skan details --json --expect outcome=read"),
    ("postbacks", "result", "skan postbacks --at +50d --json"),
    ("postbacks", "result", "skan postbacks --at +50d --tier all --json"),
    ("postbacks", "result", "skan postbacks --at +90d --send http://localhost:1/ --json"),
    ("postbacks", "result",
     "skan install -q --state aak.json --ios 18.4 --ad '{\"framework\":\"adattributionkit\",\"lost\":[{\"network\":\"a\"}]}' &&"
     " skan aak reengage https://example.com/ --state aak.json -q && skan register -q --state aak.json &&"
     " skan postbacks --at +90d --state aak.json --json"),
    ("aak update", "result", "skan aak update 5 --coarse low --json"),
    ("aak reengage", "result", "skan aak reengage https://example.com/ --json"),
    ("history", "history", "skan history --json"),
    ("history", "history",
     "skan install -q --state overlap.json --setting completion=deferred && skan register -q --state overlap.json &&"
     " echo '{\"op\":\"session\",\"after\":\"1s\",\"took\":\"1s\"}' > overlap.jsonl &&"
     " skan replay -q --state overlap.json overlap.jsonl >&2; skan history --state overlap.json --json"),
    ("why", "history", "skan why 2 --json"),
    ("reset", "result", "skan reset --json"),
]

OTHERS = [
    ("replay", "result", "skan replay --json fixtures/first-month.jsonl"),
    ("replay", "summary", "skan replay --summary --json fixtures/hazards fixtures/life-cycle"),
    ("replay", "summary",
     """printf '%s\\n' '{"op":"register"}' '{"op":"session","expect":{"window":1},"skip":"later"}'"""
     """ '{"op":"session","expect":{"window":1}}' | skan replay --summary --json -"""),
    ("replay", "replay-report",
     """printf '%s\\n' '{"op":"register","label":"start"}' '{"op":"session","skip":"later"}'"""
     """ '{"op":"session","expect":{"window":1}}' > report.jsonl;"""
     " skan replay -q --report-json report.json report.jsonl fixtures/hazards; tr '\\n' ' ' < report.json"),
    ("replay", "replay-report",
     """printf '%s\\n' '{"op":"register"}' '{"op":"session"}' > remote.jsonl;"""
     " skan replay -q --endpoint http://localhost:1 --report-json report.json remote.jsonl; tr '\\n' ' ' < report.json"),
    ("replay", "delivery",
     "skan replay --json fixtures/first-month.jsonl --send http://localhost:1/ | grep '\"error\":\"could'"),
    ("replay", "delivery",
     "skan serve -q --postbacks sent.jsonl -- sh -c 'skan replay --json fixtures/first-month.jsonl"
     " --send \"$SKAN_ENDPOINT\"' 2>&1 | grep transaction_id | grep '\"recipient\":' | grep '^{\"at\"'"),
    ("replay", "step",
     f"skan replay -q --model {MIXED} --record - fixtures/life-cycle/event.jsonl"),
    ("serve", "received", "cat sent.jsonl"),
    ("serve", "journal",
     f"skan register -q --state j.json; skan serve -q --check --model {MIXED} --journal journal.jsonl --"
     " bash -c 'skan session --forward --post --state j.json -q; curl -s \"$SKAN_ENDPOINT/api/v1/launch?a=K\";"
     " curl -s -H \"X-SKAN-Fault: close\" \"$SKAN_ENDPOINT/api/v2/conversion_value?p=iOS\";"
     " curl -s -H \"Content-Length: x\" \"$SKAN_ENDPOINT/healthz\"' >&2; cat journal.jsonl"),
    ("serve", "journal", "cat fixtures/traffic/journal.ndjson"),
    # The live page: its data after phones have asked, with a finding, and with trouble pending.
    ("serve", "page-setup",
     f"printf %s {shlex.quote(PAGE)} > page.sh; skan serve -q --check --model {MIXED} --postbacks page.jsonl -- sh page.sh 2> page.err"),
    ("serve", "page-event", "grep '^data: .*\"line\"' events | cut -c 7-"),
    ("serve", "page-phone", "cat phone.json"),
    ("serve", "page-request", "cat request.json"),
    ("serve", "page-postbacks", "cat postbacks.json"),
    ("serve", "page-trouble", "cat trouble.json"),
    ("model explain", "model-explain",
     "for FILE in fixtures/models/[!r]*.json; do skan model explain $FILE --json; done;"
     f" for N in $(seq 1 63); do skan model explain {MIXED} --fine $N --json; done;"
     f" skan model explain {MIXED} --coarse high --window 1 --json"),
    ("model diff", "model-diff",
     f"skan model diff {MIXED} fixtures/models/iap-revenue.json --json; skan model diff {MIXED} {MIXED} --json"),
    ("model fit", "model-fit", f"skan model fit --values 6 --least-devices 1 {EXPORT} --json; skan model fit --values 6 --least-devices 1 --round 1 {EXPORT} --json;"
     f" skan model fit --values 3,6 --least-devices 1 {EXPORT} --json; skan model fit --values 3 --least-devices 1 --window-hours 24,48 --tiers 0.2,0.3,0.3,0.2 {EXPORT} --json;"
     f" skan model fit --values 3 --least-devices 1 --window-hours 24 --tiers 0.2,0.3,0.3,0.2 --events tutorial_done=2 {EXPORT} --json"),
    ("model convert", "model",
     "printf 'window,value,coarse,event,min_count\\n0,1,,purchase,1\\n' > flat.csv;"
     " skan model convert flat.csv | tr '\\n' ' '"),
    ("backtest", "backtest",
     f"skan backtest --model {MIXED} {EXPORT} --json;"
     f" skan backtest --model {MIXED} --compare fixtures/models/iap-revenue.json --by campaign {EXPORT} --json"),
    ("check", "check", "for FILE in fixtures/traffic/*.* fixtures/traffic/rules/*; do skan check --json $FILE; done"),
    ("check", "check", "echo '{}' | skan check --json fixtures/traffic/rules/idfv-missing.ndjson -"),
    ("check", "step", "skan check -q --to-list traffic.jsonl fixtures/traffic/clean-life.ndjson; cat traffic.jsonl"),
    ("verify", "verify",
     f"echo '{{}}' > empty.json; for FILE in fixtures/postbacks/*.json empty.json; do"
     f" skan verify --json {KEY} $FILE; done;"
     f" sed 's/1234567890/525463029/' {MIXED} > spring.json; sed 's/\"version\":/\"x\":1,&/' fixtures/postbacks/simulated-4.0-*.json |"
     f" skan verify --json {KEY} --model spring.json --seen sent.jsonl -;"
     f" skan verify --json {KEY} fixtures/postbacks/*.json;"
     " H=$(printf '{\"kid\":\"apple-cas-identifier/0\",\"alg\":\"ES256\",\"typ\":\"JWT\"}' | base64 | tr -d '=\\n');"
     " sed -E 's/(\"jws-string\": *\")[^.]*/\\1'$H'/' fixtures/postbacks/aak-development.json | skan verify --json -"),
    ("receive", "receive", f"skan receive --json {KEY} fixtures/postbacks/*.json"),
    ("receive", "received", "cat received.jsonl"),
    ("receive", "receive",
     "printf 'network,identifier,campaign_id,campaign_name,country\\ncom.example,5239,c-7,Spring,DE\\n' > campaigns.csv;"
     " skan serve -q --postbacks passed.jsonl -- sh -c 'skan receive --json --into again.jsonl"
     f" --model spring.json --campaigns campaigns.csv {KEY} --forward here=\"$SKAN_ENDPOINT/postbacks\" fixtures/postbacks/*.json'"),
    ("receive", "received", "cat again.jsonl"),
    ("report", "report",
     "sed -E 's/\"conversion-value\":24/\"coarse-conversion-value\":\"low\"/'"
     " fixtures/postbacks/aak-development.json | skan receive -q --into countries.jsonl -;"
     " skan report --json --group country --allow-development countries.jsonl; skan report --json received.jsonl; skan report --json --group network,day,mapped-name again.jsonl sent.jsonl;"
     " skan report --json --by estimated-install-date received.jsonl;"
     " skan report --json --allow-development --group network received.jsonl"),
    ("receiver-test", "receiver-test",
     f"skan serve -q --postbacks tested.jsonl -- sh -c 'skan receiver-test \"$SKAN_ENDPOINT\" --json --model {MIXED}"
     " --expected expected.json;"
     " echo \"{\\\"simulated\\\":{\\\"total\\\":{\\\"installs\\\":5}}}\" > few.json;"
     " skan receiver-test \"$SKAN_ENDPOINT\" --json --actual few.json'"),
    # A server that takes no postbacks: its answers have a cause.
    ("receiver-test", "receiver-test", "skan serve -q -- sh -c 'skan receiver-test \"$SKAN_ENDPOINT\" --json'"),
    ("receiver-test", "report", "cat expected.json"),
    ("receiver-test", "receiver-test",
     "openssl ecparam -name prime256v1 -genkey -noout -out own.pem; openssl ec -in own.pem -pubout -out public.pem 2>&-;"
     " skan serve -q --postbacks trusted.jsonl --key public.pem -- sh -c"
     " 'skan receiver-test \"$SKAN_ENDPOINT\" --json --sign own.pem --expected expected.json'"),
    ("receiver-test", "report", "cat expected.json"),
    ("import", "import",
     "for FILE in fixtures/exports/[!ps]*; do skan import --check --json --dedupe tx $FILE;"
     " skan import --check --json --model fixtures/models/events.json $FILE; done;"
     " skan import --check --json --rates fixtures/models/rates-by-day.csv fixtures/exports/plain.tsv;"
     " skan import --check --json fixtures/export-edges/plain.csv"),
    ("import", "step", "skan import -o events.jsonl -q --preset adjust fixtures/exports/adjust.csv; cat events.jsonl"),
    ("config", "config", "SKAN_MAX_TIME=2s skan config --json; skan config --json -- replay --jobs 2 x.jsonl"),
    ("doctor", "doctor", "skan doctor --json; skan doctor --json --endpoint http://localhost:1"),
    ("explain", "explain", "skan explain --json"),
    ("help", "help", "skan help --json; skan help --json session"),
    ("init", "project",
     "skan init game >&2; tr '\\n' ' ' < game/skan.json; cd game && skan config --json > ../project-config.json"),
    ("config", "config", "cat project-config.json"),
    ("init", "model", "tr '\\n' ' ' < game/skan/model.json"),
    ("init", "step", "cat game/skan/lists/*.jsonl"),
]
