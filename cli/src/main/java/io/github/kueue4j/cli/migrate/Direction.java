// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.migrate;

import org.apiguardian.api.API;

/** Where a cluster moves to. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public enum Direction {
  /** From another implementation to this core. */
  IN,
  /** From this core to another implementation. */
  OUT
}
