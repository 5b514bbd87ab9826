// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import io.github.kueue4j.sdk.BackendUnavailableException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if an endpoint gave no answer, whatever was asked: the message names the URL, what
 * happened and the remedy, and nothing that the server said, since tenants read it.
 *
 * @see HttpBackends
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class EndpointUnavailableException extends BackendUnavailableException {
  private static final long serialVersionUID = 1L;
  private static final int NONE = 0;
  private static final int BAD_GATEWAY = 502;
  private static final int GATEWAY_TIMEOUT = 504;

  /** Why there is no answer. */
  public enum Kind {
    /** No request was sent: a Secret, certificate or file is missing, or an address is refused. */
    MISCONFIGURED,
    /** No connection: the name is unknown, the port closed, the connection broken. */
    UNREACHABLE,
    /** The server's certificate isn't trusted, or is of another name. */
    UNTRUSTED,
    /** The time for the whole call was over. */
    TIMEOUT,
    /** The server said that it can't answer now: status 429 or 503. */
    OVERLOADED,
    /** The server failed: any other status from 500 on. */
    FAILED,
    /** The answer isn't HTTP, isn't UTF-8, or is too long. */
    UNREADABLE
  }

  private final Kind kind;
  private final int status;
  private final @Nullable String summary;
  private final transient @Nullable Duration retryAfter;

  EndpointUnavailableException(Kind kind, String message) {
    super(message);
    this.kind = kind;
    this.status = NONE;
    this.summary = null;
    this.retryAfter = null;
  }

  EndpointUnavailableException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.status = NONE;
    this.summary = null;
    this.retryAfter = null;
  }

  /** The server answered so. */
  EndpointUnavailableException(Kind kind, URI url, int status, @Nullable Duration retryAfter) {
    super(url + " answered " + StatusText.of(status));
    this.summary =
        url
            + (kind == Kind.OVERLOADED
                ? " answered that it can't answer now."
                : " answered that it failed.");
    this.kind = kind;
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** Why there is no answer. */
  public Kind kind() {
    return kind;
  }

  /**
   * Whether the failure may come from what was asked, so that another request may well be answered:
   * the server failed, with another status than 502 and 504, took too long, or answered what can't
   * be read. A check that asks about a Workload should throw another exception then: one Workload
   * alone must not open the circuit breaker for all.
   */
  public boolean mayDependOnRequest() {
    return switch (kind) {
      case FAILED -> status != BAD_GATEWAY && status != GATEWAY_TIMEOUT;
      case TIMEOUT, UNREADABLE -> true;
      case MISCONFIGURED, UNREACHABLE, UNTRUSTED, OVERLOADED -> false;
    };
  }

  /** The message without the status, which may be another one each time: for conditions. */
  public String summary() {
    return summary == null ? String.valueOf(getMessage()) : summary;
  }

  /** When the server asked to be asked again, zero or positive; empty unless it said so. */
  @Override
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
