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

import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.core.queue.ResourceRules;
import io.github.kueue4j.core.testing.Unheard;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StateLoopTest {
  private final AtomicInteger turns = new AtomicInteger();

  @Test
  void whoAsksCausesNoTurnOfTheScheduler() throws Exception {
    State state = new State(ResourceRules.plain(), new Outbox(), new Unheard() {});
    try (ManualTime time = ManualTime.create();
        StateLoop loop = new StateLoop(state, time, took -> turns.incrementAndGet())) {
      loop.start();
      loop.beginScheduling();
      loop.catchUp();
      // Two questions: the first may have been answered before the turn.
      loop.catchUp();
      assertThat(turns).hasValue(1);

      for (int i = 0; i < 10; i++) {
        assertThat(loop.ask(current -> current.clusterQueue("none")).get()).isEmpty();
        assertThat(loop.rests().get()).isTrue();
      }
      assertThat(turns).hasValue(1);

      loop.post(changed -> {});
      loop.catchUp();
      loop.catchUp();
      assertThat(turns).hasValue(2);
    }
  }
}
