// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import org.apiguardian.api.API;

/**
 * Why a controller has ended.
 *
 * @see io.github.kueue4j.sdk.program.CheckProgram
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Ending {
  /** The process was asked to end, by SIGTERM or SIGINT. */
  SIGNAL,

  /** The Lease was lost: another replica leads or may lead. Start the process again. */
  LEASE_LOST,

  /** {@link CheckController#close} was called. */
  CLOSED
}
