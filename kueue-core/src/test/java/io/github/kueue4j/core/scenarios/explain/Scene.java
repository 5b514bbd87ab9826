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
package io.github.kueue4j.core.scenarios.explain;

import io.github.kueue4j.core.explain.Party;
import io.github.kueue4j.core.explain.Reason;
import io.github.kueue4j.core.testing.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A situation and what shall be said about it.
 *
 * @param subject what is asked about, in the namespace of the tests or as {@code namespace:name}
 * @param wakesIn from the moment of the question; null for not at all by itself
 * @param telling texts that the summary or the evidence must contain
 */
record Scene(
    String title,
    Consumer<TestCluster> happens,
    String subject,
    Reason reason,
    Party party,
    @Nullable Duration wakesIn,
    List<String> telling) {

  static Scene of(String title, String subject, Consumer<TestCluster> happens) {
    return new Scene(title, happens, subject, Reason.RUNNING, Party.NOBODY, null, List.of());
  }

  Scene shows(Reason expected, Party who, String... texts) {
    return new Scene(title, happens, subject, expected, who, wakesIn, List.of(texts));
  }

  Scene wakesIn(Duration duration) {
    return new Scene(title, happens, subject, reason, party, duration, telling);
  }

  @Override
  public String toString() {
    return title;
  }
}
