// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * A value of an API enum that newer servers may extend: a string in JSON, with constants for the
 * known values. Implementations are records with the single component {@code value}.
 *
 * <p>Compare by {@code equals}: what is read from JSON is the constant of a known word, but each
 * unknown word, and each value that a constructor makes, is an object of its own.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface OpenValue {

  /** The value as in JSON. */
  String value();
}
