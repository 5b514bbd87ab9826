// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The answer of a server, with any status below 500 but 429: a redirect too, since none is
 * followed.
 *
 * <p>A body that isn't what the check expects was written by whatever stands in the way: an error
 * page may hold a token that was sent, or the password of a database. Nothing of it belongs into a
 * message that tenants read, such as a verdict's or an exception's: say the {@link #statusText}
 * there, and log the {@link #excerpt}.
 *
 * @param status the HTTP status
 * @param contentType without parameters, in lower case; empty if the server named none
 * @param body as text, within the call's limit; may be empty
 * @param retryAfter what the header {@code Retry-After} says, zero or positive; empty unless it is
 *     there and can be read
 * @param excerpt the body's beginning for the operator's log, and for nothing else: at most 200
 *     characters in one line, without control characters, with the credentials struck out that were
 *     sent, and with what looks like others; may be empty
 * @see HttpBackends
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record HttpAnswer(
    int status, String contentType, String body, Optional<Duration> retryAfter, String excerpt) {

  /** An answer to a request without credentials. */
  public HttpAnswer(int status, String contentType, String body, Optional<Duration> retryAfter) {
    this(status, contentType, body, retryAfter, Redaction.OF_FORMS.excerpt(body));
  }

  /** Whether the status is one of success: 200 to 299. */
  public boolean isSuccess() {
    return status >= 200 && status < 300;
  }

  /**
   * The status as people read it, such as {@code 403 (Forbidden)}; nothing that the server said.
   */
  public String statusText() {
    return StatusText.of(status);
  }
}
