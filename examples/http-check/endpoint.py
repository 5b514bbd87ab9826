#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The kueue4j Authors
"""An endpoint for http-check: at most three pods. python3 endpoint.py [PORT]"""
import http.server, json, sys

class Endpoint(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        pods = sum(each["count"] for each in asked["podSets"])
        answer = ({"verdict": "Ready", "message": "%d pods are fine." % pods} if pods <= 3 else
                  {"verdict": "Rejected", "reason": "TooManyPods", "message": "At most 3 pods; it has %d." % pods})
        answer["attemptId"] = asked["attemptId"]  # No proxy can give this answer to another question.
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

server = http.server.ThreadingHTTPServer(("127.0.0.1", int((sys.argv + ["8089"])[1])), Endpoint)
print("listening on %d" % server.server_port, flush=True)
server.serve_forever()
