// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.junit;

import org.apiguardian.api.API;

/**
 * The objects on the cluster when a test failed; attached to the failure as a suppressed exception.
 *
 * @see KueueTest
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ClusterAtFailure extends Exception {
  private static final long serialVersionUID = 1L;

  ClusterAtFailure(String description) {
    super(description, null, false, false);
  }
}
