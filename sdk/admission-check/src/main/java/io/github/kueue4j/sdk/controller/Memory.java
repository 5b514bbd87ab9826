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
package io.github.kueue4j.sdk.controller;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.sdk.Holding;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered between evaluations, by workload and check. Progress is touched only by the
 * worker that has the workload; wake-ups come from any thread.
 */
final class Memory {

  private final Map<ObjectKey, Map<String, Progress>> progress = new ConcurrentHashMap<>();
  private final Map<ObjectKey, Set<String>> woken = new ConcurrentHashMap<>();
  private final Map<ObjectKey, Set<String>> cleaned = new ConcurrentHashMap<>();

  private final Map<ObjectKey, Map<String, Instant>> retryNotBefore = new ConcurrentHashMap<>();

  /** Remembers that the check must not send the workload back again before this. */
  void retryNotBefore(ObjectKey workload, String check, Instant when) {
    retryNotBefore.computeIfAbsent(workload, key -> new ConcurrentHashMap<>()).put(check, when);
  }

  /** Before when the check must not send the workload back; the distant past if it may. */
  Instant retryNotBefore(ObjectKey workload, String check) {
    return retryNotBefore.getOrDefault(workload, Map.of()).getOrDefault(check, Instant.MIN);
  }

  @Nullable Progress progress(ObjectKey workload, String check) {
    Map<String, Progress> checks = progress.get(workload);
    return checks == null ? null : checks.get(check);
  }

  void remember(ObjectKey workload, String check, Progress now) {
    progress.computeIfAbsent(workload, key -> new ConcurrentHashMap<>()).put(check, now);
  }

  void forget(ObjectKey workload, String check) {
    Map<String, Progress> checks = progress.get(workload);
    if (checks != null) {
      checks.remove(check);
    }
  }

  /** Forgets the checks of a workload that are not among these, and what woke them. */
  void keepOnly(ObjectKey workload, Set<String> checks) {
    retainKeys(progress, workload, checks);
    retainKeys(retryNotBefore, workload, checks);
    retain(woken, workload, checks);
    retain(cleaned, workload, checks);
  }

  /** Something that the check looks at has changed. */
  void wake(ObjectKey workload, String check) {
    keepWoken(workload, check);
    // What the check holds may have come into sight only now.
    mayHold(workload, check);
  }

  /** A wake-up that was taken and led to no answer still counts. */
  void keepWoken(ObjectKey workload, String check) {
    add(woken, workload, check);
  }

  /** Whether the check was woken for this workload, and that was not taken yet. */
  boolean isWoken(ObjectKey workload, String check) {
    return woken.getOrDefault(workload, Set.of()).contains(check);
  }

  /**
   * Spends a wake-up. Do so before looking at anything: one that comes later is about something
   * newer.
   */
  void takeWoken(ObjectKey workload, String check) {
    remove(woken, workload, check);
  }

  private final Map<ObjectKey, Set<Holding>> holdings = new ConcurrentHashMap<>();

  /** The check may hold this, until {@link #gaveUp}. Survives the workload. */
  void holds(Holding holding) {
    holdings.compute(
        holding.workload(),
        (key, known) -> {
          Set<Holding> all = known == null ? ConcurrentHashMap.newKeySet() : known;
          all.add(holding);
          return all;
        });
  }

  /** What checks may hold for a workload of this name, or held for one before it. */
  Set<Holding> holdings(ObjectKey workload) {
    return Set.copyOf(holdings.getOrDefault(workload, Set.of()));
  }

  void gaveUp(Holding holding) {
    holdings.computeIfPresent(
        holding.workload(),
        (key, known) -> {
          known.remove(holding);
          return known.isEmpty() ? null : known;
        });
  }

  /** Remembers that the check has given up what it held for the workload. */
  void cleanedUp(ObjectKey workload, String check) {
    add(cleaned, workload, check);
  }

  /** Whether the check has given up what it held for the workload. */
  boolean isCleanedUp(ObjectKey workload, String check) {
    return cleaned.getOrDefault(workload, Set.of()).contains(check);
  }

  /** The check may hold something for the workload again. */
  void mayHold(ObjectKey workload, String check) {
    remove(cleaned, workload, check);
  }

  private static void add(Map<ObjectKey, Set<String>> sets, ObjectKey workload, String check) {
    sets.compute(
        workload,
        (key, names) -> {
          Set<String> all = names == null ? ConcurrentHashMap.newKeySet() : names;
          all.add(check);
          return all;
        });
  }

  private static void remove(Map<ObjectKey, Set<String>> sets, ObjectKey workload, String check) {
    sets.computeIfPresent(
        workload,
        (key, names) -> {
          names.remove(check);
          return names.isEmpty() ? null : names;
        });
  }

  private static void retain(
      Map<ObjectKey, Set<String>> sets, ObjectKey workload, Set<String> checks) {
    sets.computeIfPresent(
        workload,
        (key, names) -> {
          names.retainAll(checks);
          return names.isEmpty() ? null : names;
        });
  }

  private static <V> void retainKeys(
      Map<ObjectKey, Map<String, V>> maps, ObjectKey workload, Set<String> checks) {
    maps.computeIfPresent(
        workload,
        (key, known) -> {
          known.keySet().retainAll(checks);
          return known.isEmpty() ? null : known;
        });
  }

  /** How many workloads something is remembered about. */
  int size() {
    Set<ObjectKey> all = new HashSet<>(progress.keySet());
    all.addAll(woken.keySet());
    all.addAll(cleaned.keySet());
    all.addAll(holdings.keySet());
    all.addAll(retryNotBefore.keySet());
    return all.size();
  }
}
