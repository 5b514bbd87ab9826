// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.selectors;

import org.apiguardian.api.API;

/** A selector text that the API refuses. */
@API(status = API.Status.INTERNAL)
public final class SelectorSyntaxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SelectorSyntaxException(String message) {
    super(message);
  }

  /** What is wrong. */
  public String text() {
    String message = getMessage();
    return message == null ? "" : message;
  }
}
