#!/bin/sh
# Written by 'skan init'. Run it in the folder of skan.json; skan must be on the PATH. What is yours to set:
#   SKAN_ENDPOINT  the endpoint under test, such as https://staging.example.com; without it the smoke test is not run
#   SKAN_SDK_KEY   the SDK key, from the secrets of your CI, if the endpoint wants one; it is never printed
# A report in JUnit's form is left in skan-report.xml.
set -eu

# The model and the lists, without a network.
skan model check --strict skan/model.json
SKAN_ENDPOINT= skan replay --test skan/lists --report-junit skan-report.xml

if [ -z "${SKAN_ENDPOINT:-}" ]; then
  echo "SKAN_ENDPOINT is not set: no endpoint was tested" >&2
  exit 0
fi
phone="$(mktemp -d)/phone.json"
skan register --idfv random --state "$phone"
skan session --state "$phone" --strict
skan event 'add_to_cart' --state "$phone" --strict
