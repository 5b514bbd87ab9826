// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import java.util.Map;

/**
 * Statuses of HTTP as people read them (RFC 9110, section 15). The words are those of the standard:
 * what a server writes behind the number is its own, and may be anything.
 */
final class StatusText {
  private static final Map<Integer, String> PHRASES =
      Map.ofEntries(
          Map.entry(200, "OK"),
          Map.entry(201, "Created"),
          Map.entry(202, "Accepted"),
          Map.entry(204, "No Content"),
          Map.entry(301, "Moved Permanently"),
          Map.entry(302, "Found"),
          Map.entry(303, "See Other"),
          Map.entry(304, "Not Modified"),
          Map.entry(307, "Temporary Redirect"),
          Map.entry(308, "Permanent Redirect"),
          Map.entry(400, "Bad Request"),
          Map.entry(401, "Unauthorized"),
          Map.entry(402, "Payment Required"),
          Map.entry(403, "Forbidden"),
          Map.entry(404, "Not Found"),
          Map.entry(405, "Method Not Allowed"),
          Map.entry(406, "Not Acceptable"),
          Map.entry(407, "Proxy Authentication Required"),
          Map.entry(408, "Request Timeout"),
          Map.entry(409, "Conflict"),
          Map.entry(410, "Gone"),
          Map.entry(411, "Length Required"),
          Map.entry(413, "Content Too Large"),
          Map.entry(414, "URI Too Long"),
          Map.entry(415, "Unsupported Media Type"),
          Map.entry(421, "Misdirected Request"),
          Map.entry(422, "Unprocessable Content"),
          Map.entry(426, "Upgrade Required"),
          Map.entry(429, "Too Many Requests"),
          Map.entry(431, "Request Header Fields Too Large"),
          Map.entry(500, "Internal Server Error"),
          Map.entry(501, "Not Implemented"),
          Map.entry(502, "Bad Gateway"),
          Map.entry(503, "Service Unavailable"),
          Map.entry(504, "Gateway Timeout"),
          Map.entry(505, "HTTP Version Not Supported"));

  private StatusText() {}

  /** {@code 503 (Service Unavailable)}; the number alone where the standard has no word. */
  static String of(int status) {
    String phrase = PHRASES.get(status);
    return phrase == null ? Integer.toString(status) : status + " (" + phrase + ")";
  }
}
