// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.webhook;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A webhook that gave no usable answer. The message says why, in the API's words. */
@API(status = API.Status.INTERNAL)
public final class WebhookException extends Exception {
  private static final long serialVersionUID = 1L;

  public WebhookException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** The message. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
