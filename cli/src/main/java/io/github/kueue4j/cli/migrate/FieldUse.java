// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.migrate;

/**
 * A field that an object has and that doesn't mean the same to both implementations.
 *
 * @param path without indices, for example {@code spec.podSets[].topologyRequest}
 */
record FieldUse(String path, Meaning meaning) {

  enum Meaning {
    /** The definitions of this core don't have it: the next write drops it. */
    UNKNOWN,
    /** Stored, and not acted upon here. */
    OUT_OF_SCOPE,
    /** A use by this core alone: the definitions of others drop it. */
    EXTENSION
  }
}
