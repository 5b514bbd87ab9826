// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.stories;

import io.github.kueue4j.testdefaults.ExpectedLog;
import org.junit.jupiter.api.Order;

/** The stories of each build. */
@Order(1)
@ExpectedLog(
    logger = "StoppedPods",
    message = "Released quota although pods on lost nodes may still run")
class StoriesTest extends Stories {
  @Override
  Site open() throws InterruptedException {
    return EmbeddedSite.start();
  }
}
