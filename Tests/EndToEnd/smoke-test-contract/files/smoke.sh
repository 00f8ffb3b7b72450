# A strict smoke test of each server: its exit code and the findings that it names.
smoke() {
  out=$("$SKAN" replay --strict "$@" smoke.jsonl 2>&1 < /dev/null)
  code=$?
  echo "exit $code" $(printf '%s\n' "$out" | grep -o '\[[a-z0-9-]*\]' | sort -u)
}

echo "skan serve: $(smoke)"
mkfifo servers
python3 server.py > servers &
read -r port names < servers
for name in $names; do
  echo "$name: $(smoke --endpoint "http://127.0.0.1:$port/$name")"
done
kill $!
rm servers
