// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.conversion;

import org.apiguardian.api.API;

/**
 * Thrown if an object can't be represented in the other version; the message names field, value and
 * remedy.
 */
@API(status = API.Status.INTERNAL)
public final class UnconvertibleException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnconvertibleException(String message) {
    super(message);
  }
}
