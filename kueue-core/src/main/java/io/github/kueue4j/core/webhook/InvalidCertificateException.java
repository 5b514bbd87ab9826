// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.webhook;

/** Thrown if a certificate or a key can't be read or used. */
final class InvalidCertificateException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  InvalidCertificateException(String message) {
    super(message);
  }

  InvalidCertificateException(String message, Throwable cause) {
    super(message, cause);
  }
}
