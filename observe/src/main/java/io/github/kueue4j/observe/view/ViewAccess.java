// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.http.RequestAuthorizer.Decision;

/** Decides who may see what. Thread-safe. */
@FunctionalInterface
interface ViewAccess {
  /**
   * Decides whether the sender of a request may list objects; may block for a request to another
   * server.
   *
   * @param authorization the request's header of that name; empty if it has none
   * @param namespace of the objects; empty for all namespaces
   */
  Decision list(String authorization, ResourceType<?> type, String namespace);

  /** Access for everyone who reaches the server. */
  static ViewAccess everyone() {
    return (authorization, type, namespace) -> new Decision.Allowed("");
  }
}
