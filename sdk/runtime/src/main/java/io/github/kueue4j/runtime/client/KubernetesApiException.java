// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import io.kubernetes.client.openapi.models.V1Status;
import java.time.Duration;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the API server refuses a request or doesn't answer.
 *
 * <p>The message names the request and the object and contains the server's message.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public abstract sealed class KubernetesApiException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int code;
  private final transient @Nullable V1Status status;

  KubernetesApiException(
      String message, int code, @Nullable V1Status status, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
    this.status = status;
  }

  /** The HTTP status code; 0 without a response. */
  public int code() {
    return code;
  }

  /** The server's Status object, or null if the response had none. */
  public @Nullable V1Status status() {
    return status;
  }

  /** The machine-readable reason of the Status ({@code Conflict}, ...), or empty. */
  public String reason() {
    return status == null || status.getReason() == null ? "" : status.getReason();
  }

  /** The server's own words: the message of the Status, else that of this exception. */
  public String statusMessage() {
    return status == null || status.getMessage() == null
        ? String.valueOf(getMessage())
        : status.getMessage();
  }

  /** How long the server asks to wait before the next request (Retry-After), or null. */
  public @Nullable Duration retryAfter() {
    return null;
  }

  /** The write wasn't sent, because the lease of this replica may have expired. */
  public static final class LeaseInvalid extends KubernetesApiException {
    private static final long serialVersionUID = 1L;

    /** For the runtime and for fakes in tests. */
    public LeaseInvalid(String message, Throwable cause) {
      super(message, 0, null, cause);
    }
  }

  /** 404: no such object, or no such resource type. */
  public static final class NotFound extends KubernetesApiException {
    private static final long serialVersionUID = 1L;

    /** For the runtime and for fakes in tests. */
    public NotFound(String message, @Nullable V1Status status) {
      super(message, 404, status, null);
    }
  }

  /** 409 with reason AlreadyExists: the name is taken. */
  public static final class AlreadyExists extends KubernetesApiException {
    private static final long serialVersionUID = 1L;

    /** For the runtime and for fakes in tests. */
    public AlreadyExists(String message, @Nullable V1Status status) {
      super(message, 409, status, null);
    }
  }

  /** 409: the object has changed since it was read; read it live and decide again. */
  public static final class Conflict extends KubernetesApiException {
    private static final long serialVersionUID = 1L;

    /** For the runtime and for fakes in tests. */
    public Conflict(String message, @Nullable V1Status status) {
      super(message, 409, status, null);
    }
  }

  /** 422: the object would be invalid, or a {@code test} of a JSON patch failed. */
  public static final class Invalid extends KubernetesApiException {
    private static final long serialVersionUID = 1L;

    /** For the runtime and for fakes in tests. */
    public Invalid(String message, @Nullable V1Status status) {
      super(message, 422, status, null);
    }
  }

  /** 400 and other refusals of the request itself (405, 406, 413, 415). */
  public static final class BadRequest extends KubernetesApiException {
    private static final long serialVersionUID = 1L;

    /** For the runtime and for fakes in tests. */
    public BadRequest(String message, int code, @Nullable V1Status status) {
      super(message, code, status, null);
    }
  }

  /** 401: the credentials are missing, wrong or expired. */
  public static final class Unauthorized extends KubernetesApiException {
    private static final long serialVersionUID = 1L;

    /** For the runtime and for fakes in tests. */
    public Unauthorized(String message, @Nullable V1Status status) {
      super(message, 401, status, null);
    }
  }

  /** 403: not allowed by RBAC, an admission webhook or a quota. */
  public static final class Forbidden extends KubernetesApiException {
    private static final long serialVersionUID = 1L;

    private static final Pattern LACKS_RIGHT =
        Pattern.compile("[^ ]+( \"[^\"]*\")? is forbidden: User \"[^\"]*\" cannot ");

    /** For the runtime and for fakes in tests. */
    public Forbidden(String message, @Nullable V1Status status) {
      super(message, 403, status, null);
    }

    /**
     * Whether the account has no right to make the request; otherwise admission refuses it, which
     * may quote the lack of a right of its own.
     */
    public boolean lacksRight() {
      return LACKS_RIGHT.matcher(statusMessage()).lookingAt();
    }
  }

  /** 410: the resourceVersion or the continue token is too old; list anew. */
  public static final class Gone extends KubernetesApiException {
    private static final long serialVersionUID = 1L;

    /** For the runtime and for fakes in tests. */
    public Gone(String message, @Nullable V1Status status) {
      super(message, 410, status, null);
    }
  }

  /** 429: the server asks to retry later. */
  public static final class TooManyRequests extends KubernetesApiException {
    private static final long serialVersionUID = 1L;
    private final @Nullable Duration retryAfter;

    /** For the runtime and for fakes in tests. */
    public TooManyRequests(
        String message, @Nullable V1Status status, @Nullable Duration retryAfter) {
      super(message, 429, status, null);
      this.retryAfter = retryAfter;
    }

    @Override
    public @Nullable Duration retryAfter() {
      return retryAfter;
    }
  }

  /** 5xx: the server failed; the request may or may not have been carried out. */
  public static final class ServerFailure extends KubernetesApiException {
    private static final long serialVersionUID = 1L;
    private final @Nullable Duration retryAfter;

    /** For the runtime and for fakes in tests. */
    public ServerFailure(
        String message, int code, @Nullable V1Status status, @Nullable Duration retryAfter) {
      super(message, code, status, null);
      this.retryAfter = retryAfter;
    }

    @Override
    public @Nullable Duration retryAfter() {
      return retryAfter;
    }
  }

  /**
   * No response: connection refused, timed out or broken. The request may have been carried out.
   */
  public static final class Unreachable extends KubernetesApiException {
    private static final long serialVersionUID = 1L;

    /** For the runtime and for fakes in tests. */
    public Unreachable(String message, Throwable cause) {
      super(message, 0, null, cause);
    }
  }

  /** The response violates the API, for example because it isn't JSON. */
  public static final class Malformed extends KubernetesApiException {
    private static final long serialVersionUID = 1L;

    /** For the runtime and for fakes in tests. */
    public Malformed(String message, int code, @Nullable Throwable cause) {
      super(message, code, null, cause);
    }
  }
}
