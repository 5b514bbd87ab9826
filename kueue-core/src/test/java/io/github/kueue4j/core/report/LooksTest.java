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
package io.github.kueue4j.core.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class LooksTest {
  private static final Duration INTERVAL = Duration.ofSeconds(3);
  private static final ObjectKey QUEUE = ObjectKey.cluster("a");
  private static final ObjectKey OTHER = ObjectKey.cluster("b");

  private final ManualTime time = ManualTime.create();
  private final Looks looks = new Looks(time, INTERVAL);

  @Test
  void whoAsksWhileALookIsDueNeedNotPutItIntoTheQueueAgain() {
    assertThat(looks.ask(QUEUE)).isTrue();
    assertThat(looks.ask(QUEUE)).isFalse();
    assertThat(looks.ask(OTHER)).isTrue();
  }

  @Test
  void whoAsksDuringALookGetsAnotherOne() {
    looks.ask(QUEUE);

    assertThat(looks.begin(QUEUE)).isEmpty();

    assertThat(looks.ask(QUEUE)).isTrue();
  }

  @Test
  void aLookThatIsTooEarlyComesBackOnceHoweverManyAsk() {
    looks.begin(QUEUE);
    looks.looked(QUEUE);
    Instant next = time.instant().plus(INTERVAL);
    time.advance(Duration.ofSeconds(1));

    assertThat(looks.ask(QUEUE)).isTrue();
    assertThat(looks.begin(QUEUE)).contains(next);
    assertThat(looks.ask(QUEUE)).isFalse();

    time.advance(Duration.ofSeconds(2));
    assertThat(looks.begin(QUEUE)).isEmpty();
    assertThat(looks.ask(QUEUE)).isTrue();
  }

  @Test
  void aLookThatComesBackWithoutBeingAskedForIsAwaitedToo() {
    looks.begin(QUEUE);
    looks.looked(QUEUE);

    assertThat(looks.begin(QUEUE)).isPresent();
    assertThat(looks.ask(QUEUE)).isFalse();
  }

  @Test
  void aLookThatDoesNotCountBeginsNoInterval() {
    looks.begin(QUEUE);

    assertThat(looks.begin(QUEUE)).isEmpty();
  }

  @Test
  void aClockThatIsSetBackKeepsNobodyWaiting() {
    AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    Looks set = new Looks(now::get, INTERVAL);
    set.begin(QUEUE);
    set.looked(QUEUE);

    now.set(Instant.EPOCH.minus(Duration.ofHours(1)));

    assertThat(set.begin(QUEUE)).isEmpty();
  }

  @Test
  void whatIsGoneIsForgotten() {
    looks.begin(QUEUE);
    looks.looked(QUEUE);
    looks.forget(QUEUE);

    assertThat(looks.begin(QUEUE)).isEmpty();
  }
}
