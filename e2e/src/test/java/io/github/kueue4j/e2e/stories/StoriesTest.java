// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.stories;

import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testdefaults.PossibleLog;
import org.junit.jupiter.api.Order;

/** The stories of each build. */
@Order(1)
@ExpectedLog(
    logger = "StoppedPods",
    message = "Released quota although pods on lost nodes may still run")
@PossibleLog(
    logger = "GuardedReconciler",
    message = "Reconcile failed; retrying",
    because = "a story may end while the core still writes the status of what it removes")
class StoriesTest extends Stories {
  @Override
  Site open() throws InterruptedException {
    return EmbeddedSite.start();
  }
}
