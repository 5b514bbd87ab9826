// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.http;

import org.apiguardian.api.API;

/** Authenticates and authorizes requests to an HTTP server. Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface RequestAuthorizer {

  /**
   * Decides about one request; may block for a request to another server.
   *
   * @param authorization the request's header of that name; empty if it has none
   * @param verb the method in lower case
   * @param path such as {@code /metrics}
   */
  Decision decide(String authorization, String verb, String path);

  /** The decision about a request. */
  sealed interface Decision {

    /**
     * The request is permitted.
     *
     * @param user the sender's name; empty if everyone is permitted and nobody is identified
     */
    record Allowed(String user) implements Decision {}

    /**
     * The sender is unknown and has to send a valid token.
     *
     * @param why message for the sender
     */
    record Unauthenticated(String why) implements Decision {}

    /**
     * The sender is known but lacks a permission.
     *
     * @param why message for the sender
     */
    record Denied(String why) implements Decision {}

    /**
     * The decision could not be made; the sender may retry.
     *
     * @param why message for the sender
     */
    record Undecided(String why) implements Decision {}
  }
}
