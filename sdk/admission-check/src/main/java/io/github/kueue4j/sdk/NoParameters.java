// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import org.apiguardian.api.API;

/**
 * The parameters of a check that takes none.
 *
 * @see Check
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum NoParameters {
  /** The only value. */
  INSTANCE
}
