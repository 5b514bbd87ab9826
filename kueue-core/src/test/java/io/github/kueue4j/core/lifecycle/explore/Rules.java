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
package io.github.kueue4j.core.lifecycle.explore;

import io.github.kueue4j.core.lifecycle.CheckPolicy;
import io.github.kueue4j.core.lifecycle.LifecycleSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The bounds of an exploration.
 *
 * @param settings of the core
 * @param checks the required checks; those called sdk... follow the fence, the others write
 *     whenever they like
 * @param delays that a Retry may ask for, in seconds; -1 for none
 * @param skews by which a naive check's clock may be off, in seconds
 * @param horizon the last second
 * @param coreClockMillis how far into the second the core's clock is
 * @param budgets how often an actor may step: see {@link Actors}
 */
record Rules(
    LifecycleSettings settings,
    List<CheckPolicy> checks,
    List<Integer> delays,
    List<Integer> skews,
    int horizon,
    int coreClockMillis,
    SortedMap<String, Integer> budgets) {

  Rules {
    checks = List.copyOf(checks);
    delays = List.copyOf(delays);
    skews = List.copyOf(skews);
  }

  /** Two checks, one on the SDK and one naive, no delay or two seconds, clocks in step. */
  static Rules of(int horizon, Map<String, Integer> budgets) {
    return new Rules(
        LifecycleSettings.defaults(),
        List.of(CheckPolicy.of("naive"), CheckPolicy.of("sdk")),
        List.of(-1, 2),
        List.of(0),
        horizon,
        0,
        new TreeMap<>(budgets));
  }

  Rules withSettings(LifecycleSettings settings) {
    return new Rules(settings, checks, delays, skews, horizon, coreClockMillis, budgets);
  }

  Rules withChecks(String... names) {
    List<CheckPolicy> policies = java.util.Arrays.stream(names).map(CheckPolicy::of).toList();
    return new Rules(settings, policies, delays, skews, horizon, coreClockMillis, budgets);
  }

  Rules withPendingTimeout(Duration timeout) {
    List<CheckPolicy> policies =
        checks.stream().map(check -> check.withPendingTimeout(timeout)).toList();
    return new Rules(settings, policies, delays, skews, horizon, coreClockMillis, budgets);
  }

  Rules withDelays(Integer... delays) {
    return new Rules(settings, checks, List.of(delays), skews, horizon, coreClockMillis, budgets);
  }

  Rules withSkews(Integer... skews) {
    return new Rules(settings, checks, delays, List.of(skews), horizon, coreClockMillis, budgets);
  }

  Rules withCoreClockMillis(int millis) {
    return new Rules(settings, checks, delays, skews, horizon, millis, budgets);
  }

  Rules without(String actor) {
    SortedMap<String, Integer> others = new TreeMap<>(budgets);
    others.remove(actor);
    return new Rules(settings, checks, delays, skews, horizon, coreClockMillis, others);
  }

  boolean pendingTimeout() {
    return checks.stream().anyMatch(check -> check.pendingTimeout() != null);
  }

  boolean skewed() {
    return skews.stream().anyMatch(skew -> skew != 0);
  }
}
