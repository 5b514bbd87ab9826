// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

/** Refusals of an API server, for a fake one: their constructors are the runtime's own. */
public final class Refusals {

  private Refusals() {}

  /** 409. */
  public static KubernetesApiException conflict(String message) {
    return new KubernetesApiException.Conflict(message, null);
  }

  /** 422. */
  public static KubernetesApiException invalid(String message) {
    return new KubernetesApiException.Invalid(message, null);
  }

  /** 404. */
  public static KubernetesApiException notFound(String message) {
    return new KubernetesApiException.NotFound(message, null);
  }

  /** 403, by roles or by a webhook. */
  public static KubernetesApiException forbidden(String message) {
    return new KubernetesApiException.Forbidden(message, null);
  }

  /** No answer. */
  public static KubernetesApiException unreachable(String message) {
    return new KubernetesApiException.Unreachable(message, new java.io.IOException(message));
  }

  /** A refusal of the request itself, such as one that is too large. */
  public static KubernetesApiException.BadRequest tooLarge(String message) {
    return new KubernetesApiException.BadRequest(message, 413, null);
  }
}
