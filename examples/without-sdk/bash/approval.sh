#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The kueue4j Authors
#
# An admission check with bash, curl and jq; replace decide() by your own. It lists all Workloads after
# every change, which is simple and good for some hundred of them.
#
# Finds its cluster by KUEUE4J_SERVER: a URL without credentials, such as that of `kubectl proxy`.
set -uo pipefail

CONTROLLER=example.com/approval
API=${KUEUE4J_SERVER:?set it to the URL of the API server}/apis/kueue.x-k8s.io/v1beta2
LONGEST_SILENCE=5 # seconds until AdmissionChecks and Workloads are listed again

# The check: prints the state, the message and, with Retry, the delay in seconds, as JSON.
decide() { # a Workload
  jq -c 'if .metadata.labels["example.com/approved"] == "no"
    then {state: "Retry", message: "Not approved yet.", requeueAfterSeconds: 300}
    else {state: "Ready", message: "Approved."} end' <<<"$1"
}

request() { curl -sS --fail-with-body --max-time 30 "$@"; }
now() { date -u +%Y-%m-%dT%H:%M:%SZ; }

# Prints the names of our AdmissionChecks, as a JSON list, and sets Active=True on those without it.
checks() {
  local all name
  all=$(request "$API/admissionchecks") || return
  all=$(jq --arg c "$CONTROLLER" '[.items[] | select(.spec.controllerName == $c)]' <<<"$all")
  for name in $(jq -r '.[] | select(any(.status.conditions[]?;
      .type == "Active" and .status == "True") | not) | .metadata.name' <<<"$all"); do
    request -o /dev/null -X PATCH "$API/admissionchecks/$name/status" \
      -H 'Content-Type: application/merge-patch+json' \
      -d '{"status": {"conditions": [{"type": "Active", "status": "True", "reason": "Active",
           "message": "The check is working", "lastTransitionTime": "'"$(now)"'"}]}}'
  done
  jq -c '[.[].metadata.name]' <<<"$all"
}

# Of a Workload, the indices of our entries that ask now; ASKS is also used on lists of Workloads.
ASKS='def true_(type): any(.status.conditions[]?; .type == type and .status == "True");
  def asks: select(.metadata.deletionTimestamp == null and .spec.active != false
      and true_("QuotaReserved") and (true_("Evicted") or true_("Finished") | not))
    | .status.admissionChecks // [] | to_entries[]
    | select(.value.state == "Pending" and (.value.name | IN($checks[]))) | .key;'

# Answers what one Workload asks. The patch is refused with 409 if the Workload has changed since it was
# read; the next list shows what it asks now.
answer() { # the Workload, the names of our checks
  local path index verdict patch
  path=$(jq -r '"namespaces/\(.metadata.namespace)/workloads/\(.metadata.name)"' <<<"$1")
  index=$(jq --argjson checks "$2" "$ASKS first(asks)" <<<"$1")
  [[ -n $index ]] || return 0
  verdict=$(decide "$1")
  patch=$(jq -c --argjson i "$index" --argjson verdict "$verdict" --arg now "$(now)" '
    "/status/admissionChecks/\($i)" as $at | [
      {op: "replace", path: "/metadata/resourceVersion", value: .metadata.resourceVersion},
      {op: "test", path: "\($at)/name", value: .status.admissionChecks[$i].name},
      {op: "replace", path: "\($at)/lastTransitionTime", value: $now},
      ($verdict | to_entries[] | {op: "add", path: "\($at)/\(.key)", value})]' <<<"$1")
  request -o /dev/null -X PATCH "$API/$path/status" \
    -H 'Content-Type: application/json-patch+json' -d "$patch" || echo "$path: again soon" >&2
}

# Waits for the next change of a Workload, or a while.
await_change() { # the version of the list
  local event watch
  exec {event}< <(exec curl -sN --max-time "$LONGEST_SILENCE" \
    "$API/workloads?watch=true&resourceVersion=$1")
  watch=$!
  read -r -t "$LONGEST_SILENCE" -u "$event" || sleep 0.2 # A server that is away ends it at once.
  exec {event}<&-
  kill "$watch" 2>/dev/null
}

trap 'exit 143' TERM
while true; do
  if names=$(checks) && list=$(request "$API/workloads"); then
    while read -r workload; do
      answer "$workload" "$names"
    done < <(jq -c --argjson checks "$names" "$ASKS"' .items[] | select(any(asks; true))' <<<"$list")
    await_change "$(jq -r .metadata.resourceVersion <<<"$list")"
  else
    sleep 1
  fi
done
