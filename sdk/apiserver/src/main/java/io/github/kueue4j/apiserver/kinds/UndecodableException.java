// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import org.apiguardian.api.API;

/** An object holds a value that its kind's fields can't; the message is the real decoder's. */
@API(status = API.Status.INTERNAL)
public final class UndecodableException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final String detail;

  UndecodableException(String detail) {
    super(detail, null, false, false);
    this.detail = detail;
  }

  /** What can't be decoded, and why. */
  public String detail() {
    return detail;
  }
}
