// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.soak;

import io.github.kueue4j.testdefaults.Patience;
import io.github.kueue4j.testdefaults.PossibleLog;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Some seconds of the soak; {@link ChecksSoakMemoryTest} runs it for ten minutes. */
@PossibleLog(
    logger = "io.github.kueue4j",
    message = "",
    because = "backends fail and checks are restarted at random times")
class ChecksSoakTest {
  @Test
  void nothingIsStuckAndNothingIsLeaked(@TempDir Path folder) throws Exception {
    new ChecksSoak(Duration.ofSeconds(4), Patience.LIMIT, () -> {}).run(folder);
  }
}
