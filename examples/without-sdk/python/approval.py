#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The kueue4j Authors
"""An admission check with Python's standard library alone; replace decide() by your own.

Finds its cluster by KUEUE4J_SERVER (a URL without credentials, such as that of `kubectl proxy`), or in
a pod by the service account.
"""
import http.client
import json
import os
import queue
import signal
import ssl
import sys
import threading
import time
import urllib.error
import urllib.request

CONTROLLER = "example.com/approval"
KUEUE = "/apis/kueue.x-k8s.io/v1beta2"
ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount"
REQUEST_SECONDS = 30
WATCH_SECONDS = 300
BROKEN = (OSError, http.client.HTTPException, ValueError)  # Out of reach, or cut off in an answer.


def decide(workload, entry):
    """The check: returns the state, the message and, with Retry, the delay in seconds."""
    labels = workload["metadata"].get("labels", {})
    if labels.get("example.com/approved", "yes") == "no":
        return "Retry", "Not approved yet, attempt %d." % entry.get("retryCount", 0), 300
    return "Ready", "Approved.", None


class Api:
    """Requests to the API server."""

    def __init__(self):
        self.url = os.environ.get("KUEUE4J_SERVER", "").rstrip("/")
        self.tls = None
        if not self.url:
            host, port = os.environ["KUBERNETES_SERVICE_HOST"], os.environ["KUBERNETES_SERVICE_PORT"]
            self.url = "https://%s:%s" % ("[%s]" % host if ":" in host else host, port)
            self.tls = ssl.create_default_context(cafile=ACCOUNT + "/ca.crt")

    def open(self, method, path, patch=None, patch_type="", timeout=REQUEST_SECONDS):
        request = urllib.request.Request(self.url + path, method=method)
        if patch is not None:
            request.data = json.dumps(patch).encode()
            request.add_header("Content-Type", "application/%s+json" % patch_type)
        if self.tls:
            with open(ACCOUNT + "/token", encoding="ascii") as token:  # Renewed now and then.
                request.add_header("Authorization", "Bearer " + token.read().strip())
        return urllib.request.urlopen(request, timeout=timeout, context=self.tls)

    def get(self, path):
        with self.open("GET", path) as answer:
            return json.load(answer)

    def patch(self, path, patch, patch_type):
        with self.open("PATCH", path, patch, patch_type) as answer:
            return json.load(answer)


def follow(api, resource, seen):
    """Puts every version of the objects into the queue: a list, then a watch, over and over.

    After a list, and when an object is deleted, it puts None: objects that were known may be gone.
    """
    while True:
        try:
            objects = api.get("%s/%s" % (KUEUE, resource))
            for item in objects["items"]:
                seen.put((resource, item))
            seen.put((resource, None))
            version = objects["metadata"]["resourceVersion"]
            while version:
                version = watch(api, resource, version, seen)
        except BROKEN as broken:
            print("%s: %s; listing again" % (resource, broken), file=sys.stderr)
            time.sleep(1)


def watch(api, resource, version, seen):
    """Returns the version to go on from; None if the server has forgotten it."""
    path = "%s/%s?watch=true&allowWatchBookmarks=true&timeoutSeconds=%d&resourceVersion=%s" % (
        KUEUE, resource, WATCH_SECONDS, version)
    with api.open("GET", path, timeout=WATCH_SECONDS + REQUEST_SECONDS) as events:
        for line in events:
            event = json.loads(line)
            if event["type"] == "ERROR":  # 410: begin with a list again.
                return None
            version = event["object"]["metadata"]["resourceVersion"]
            if event["type"] in ("ADDED", "MODIFIED"):
                seen.put((resource, event["object"]))
            elif event["type"] == "DELETED":
                seen.put((resource, None))
    return version


def now():
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def condition(item, kind):
    conditions = item.get("status", {}).get("conditions", [])
    return next((each for each in conditions if each["type"] == kind), {})


def version_of(item):
    return item["metadata"]["resourceVersion"]


def is_true(item, kind):
    return condition(item, kind).get("status") == "True"


class Controller:
    def __init__(self, api, seen):
        self.api = api
        self.seen = seen
        self.checks = set()

    def saw(self, resource, item):
        if resource == "admissionchecks":
            self.review_checks()
        elif item:
            self.answer(item)

    def review_checks(self):
        """Which checks are ours now; they are few, so all are listed after a change of any."""
        listed = self.api.get(KUEUE + "/admissionchecks")["items"]
        ours = [check for check in listed if check["spec"]["controllerName"] == CONTROLLER]
        names = {check["metadata"]["name"] for check in ours}
        if names - self.checks:
            for workload in self.api.get(KUEUE + "/workloads")["items"]:
                self.seen.put(("workloads", workload))  # They may have been seen before their check.
        self.checks = names
        for check in ours:
            self.say_active(check)

    def say_active(self, check):
        if is_true(check, "Active"):
            return
        active = {"type": "Active", "status": "True", "reason": "Active",
                  "message": "The check is working", "lastTransitionTime": now()}
        path = "%s/admissionchecks/%s/status" % (KUEUE, check["metadata"]["name"])
        self.api.patch(path, {"status": {"conditions": [active]}}, "merge-patch")

    def asks(self, workload):
        """The index and the entry of the first check of ours that the Workload asks now."""
        if (workload["metadata"].get("deletionTimestamp")
                or not workload["spec"].get("active", True)
                or not is_true(workload, "QuotaReserved")
                or is_true(workload, "Evicted")
                or is_true(workload, "Finished")):
            return None
        for index, entry in enumerate(workload["status"].get("admissionChecks", [])):
            if entry["name"] in self.checks and entry["state"] == "Pending":
                return index, entry
        return None

    def answer(self, workload):
        """Answers about what this version asks; decides again if the object changed meanwhile."""
        metadata = workload["metadata"]
        path = "%s/namespaces/%s/workloads/%s" % (KUEUE, metadata["namespace"], metadata["name"])
        asked = self.asks(workload)
        while asked:
            index, entry = asked
            state, message, delay = decide(workload, entry)
            place = "/status/admissionChecks/%d" % index
            patch = [
                # Refused with 409 if anything of the Workload has changed since it was read.
                {"op": "replace", "path": "/metadata/resourceVersion",
                 "value": version_of(workload)},
                {"op": "test", "path": place + "/name", "value": entry["name"]},
                {"op": "replace", "path": place + "/state", "value": state},
                {"op": "replace", "path": place + "/message", "value": message},
                {"op": "replace", "path": place + "/lastTransitionTime", "value": now()},
            ]
            if delay is not None:
                patch.append({"op": "add", "path": place + "/requeueAfterSeconds", "value": delay})
            try:
                workload = self.api.patch(path + "/status", patch, "json-patch")
            except urllib.error.HTTPError as refused:
                if refused.code not in (409, 422):
                    raise
                before, workload = workload, self.api.get(path)
                if refused.code == 422 and version_of(workload) == version_of(before):
                    raise  # Nothing has changed: the server finds the verdict itself invalid.
            asked = self.asks(workload)  # Another check of ours, or another question.


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    api = Api()
    seen = queue.Queue()
    for resource in ("admissionchecks", "workloads"):
        threading.Thread(target=follow, args=(api, resource, seen), daemon=True).start()
    controller = Controller(api, seen)
    while True:
        resource, item = seen.get()
        try:
            controller.saw(resource, item)
        except BROKEN as broken:
            if resource == "workloads" and getattr(broken, "code", 0) == 404:
                continue  # Gone: forget it.
            name = item["metadata"]["name"] if item else ""
            print("%s %s: %s; again in a second" % (resource, name, broken), file=sys.stderr)
            threading.Timer(1, seen.put, ((resource, item),)).start()


if __name__ == "__main__":
    main()
