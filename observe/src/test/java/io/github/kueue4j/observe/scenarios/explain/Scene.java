// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.explain;

import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.observe.explain.Actor;
import io.github.kueue4j.observe.explain.Reason;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A situation and its expected explanation.
 *
 * @param subject the name to explain, in the namespace of the tests or as {@code namespace:name}
 * @param wakesIn time until the next wake-up; null for none
 * @param telling texts that the summary or the evidence must contain
 */
record Scene(
    String title,
    Consumer<TestCluster> happens,
    String subject,
    Reason reason,
    Actor actor,
    @Nullable Duration wakesIn,
    List<String> telling) {

  static Scene of(String title, String subject, Consumer<TestCluster> happens) {
    return new Scene(title, happens, subject, Reason.RUNNING, Actor.NONE, null, List.of());
  }

  Scene shows(Reason expected, Actor who, String... texts) {
    return new Scene(title, happens, subject, expected, who, wakesIn, List.of(texts));
  }

  Scene wakesIn(Duration duration) {
    return new Scene(title, happens, subject, reason, actor, duration, telling);
  }

  @Override
  public String toString() {
    return title;
  }
}
