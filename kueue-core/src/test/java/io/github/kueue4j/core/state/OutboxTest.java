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
package io.github.kueue4j.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.state.Outbox.Verdict;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class OutboxTest {
  private static final ObjectKey KEY = new ObjectKey("team", "w");
  private final Outbox outbox = new Outbox();

  @Test
  void sayingTheSameAgainDoesNotPutOffWritingIt() {
    assertThat(outbox.verdict(KEY, verdict("WaitingForQuota", "1 more", 10))).isEqualTo(at(10));
    assertThat(outbox.verdict(KEY, verdict("WaitingForQuota", "1 more", 14))).isEqualTo(at(10));
  }

  @Test
  void anotherWordingRestsForTenSecondsAndAnotherReasonDoesNot() {
    outbox.verdict(KEY, verdict("WaitingForQuota", "1 more", 10));

    assertThat(outbox.verdict(KEY, verdict("WaitingForQuota", "2 more", 12))).isEqualTo(at(20));
    assertThat(outbox.verdict(KEY, verdict("WaitingForQuota", "3 more", 45))).isEqualTo(at(45));
    assertThat(outbox.verdict(KEY, verdict("ExceedsMaxQuota", "too much", 46))).isEqualTo(at(46));
    assertThat(outbox.verdict(KEY).orElseThrow().message()).isEqualTo("too much");
  }

  @Test
  void aWorkloadThatWaitsNoMoreHasNoVerdict() {
    outbox.verdict(KEY, verdict("WaitingForQuota", "1 more", 10));
    outbox.forgetVerdict(KEY);

    assertThat(outbox.verdict(KEY)).isEmpty();
  }

  private static Verdict verdict(String reason, String message, int second) {
    return new Verdict(reason, message, at(second));
  }

  private static Instant at(int second) {
    return Instant.ofEpochSecond(second);
  }
}
