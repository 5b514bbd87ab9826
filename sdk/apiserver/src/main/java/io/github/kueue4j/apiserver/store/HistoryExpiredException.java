// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.store;

import org.apiguardian.api.API;

/** The changes after a revision are no longer all known. */
@API(status = API.Status.INTERNAL)
public final class HistoryExpiredException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  HistoryExpiredException(long requested, long oldest) {
    super("too old resource version: " + requested + " (" + oldest + ")", null, false, false);
  }

  /** The text that the API gives. */
  public String text() {
    String message = getMessage();
    return message == null ? "" : message;
  }
}
