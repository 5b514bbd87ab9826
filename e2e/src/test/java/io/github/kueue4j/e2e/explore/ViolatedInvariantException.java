// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

/** A world or a patch that must not be. */
final class ViolatedInvariantException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ViolatedInvariantException(String message) {
    super(message);
  }
}
