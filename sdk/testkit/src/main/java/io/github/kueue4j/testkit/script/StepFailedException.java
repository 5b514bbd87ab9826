// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.script;

import org.apiguardian.api.API;

/**
 * A step of the script timed out, or isn't possible in the Workload's present state.
 *
 * @see io.github.kueue4j.testkit.junit.KueueTest
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class StepFailedException extends AssertionError {
  private static final long serialVersionUID = 1L;

  StepFailedException(String message) {
    super(message);
  }
}
