// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.tls;

import org.apiguardian.api.API;

/** Thrown if a certificate or a key can't be read or used. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class InvalidCertificateException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With a message for the operator. */
  public InvalidCertificateException(String message) {
    super(message);
  }

  /** The same, with its cause. */
  public InvalidCertificateException(String message, Throwable cause) {
    super(message, cause);
  }
}
