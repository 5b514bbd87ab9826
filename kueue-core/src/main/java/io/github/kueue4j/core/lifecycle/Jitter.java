/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.lifecycle;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.zip.CRC32;

/** Chance that can be repeated. */
final class Jitter {
  private Jitter() {}

  /**
   * A number from 0 to 1, the same whenever it is asked for the same attempt of the same Workload:
   * the lifecycle stays pure, and a restart computes the same delay.
   *
   * @param what draws, such as the name of a check
   */
  static double draw(Situation situation, String what, int attempt) {
    String uid = String.valueOf(situation.workload().metadata().getUid());
    CRC32 crc = new CRC32();
    crc.update(
        (situation.settings().jitterSeed() + "/" + uid + "/" + what + "/" + attempt)
            .getBytes(StandardCharsets.UTF_8));
    return new SplittableRandom(crc.getValue()).nextDouble();
  }
}
