// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What a server answered, with any status below 500 but 429: a redirect too, since none is
 * followed.
 *
 * @param status the HTTP status
 * @param contentType without parameters, in lower case; empty if the server named none
 * @param body as text, within the call's limit; may be empty
 * @param retryAfter what the header {@code Retry-After} says, zero or positive; empty unless it is
 *     there and can be read
 * @see HttpBackends
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record HttpAnswer(
    int status, String contentType, String body, Optional<Duration> retryAfter) {

  /** Whether the status is one of success: 200 to 299. */
  public boolean isSuccess() {
    return status >= 200 && status < 300;
  }

  /**
   * The body's beginning for a message to people: at most 200 characters in one line, without
   * control characters.
   */
  public String excerpt() {
    return Excerpt.of(body);
  }
}
