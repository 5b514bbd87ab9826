// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.sdk.Holding;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The memory of a check controller between evaluations: a {@link CheckMemory} per workload and
 * check, and what checks may hold for workloads. A restart forgets all of it; the price is that
 * some checks are asked once more.
 */
final class EvaluationMemory {

  private final Map<ObjectKey, Map<String, CheckMemory>> checks = new ConcurrentHashMap<>();
  private final Map<ObjectKey, Set<Holding>> holdings = new ConcurrentHashMap<>();

  /**
   * The memory of this workload and check. Only the worker that reconciles the workload may keep
   * the returned object, and only until it calls {@link #keepOnly}.
   */
  CheckMemory of(ObjectKey workload, String check) {
    return checks
        .computeIfAbsent(workload, key -> new ConcurrentHashMap<>())
        .computeIfAbsent(check, name -> new CheckMemory());
  }

  /** Something that the check looks at has changed. Any thread may call this. */
  void wake(ObjectKey workload, String check) {
    tell(workload, check, CheckMemory::wake);
  }

  /** The parameters of the check have changed to these. Any thread may call this. */
  void parametersChange(ObjectKey workload, String check, Resolution<?> changed) {
    tell(workload, check, one -> one.parametersChange(changed));
  }

  private void tell(ObjectKey workload, String check, Consumer<CheckMemory> news) {
    // Within the map's atomic operation, so that keepOnly can't discard the memory in between.
    checks.compute(
        workload,
        (key, before) -> {
          Map<String, CheckMemory> known = before == null ? new ConcurrentHashMap<>() : before;
          news.accept(known.computeIfAbsent(check, name -> new CheckMemory()));
          return known;
        });
  }

  /** Forgets the checks of a workload that are not among these, and those without any memory. */
  void keepOnly(ObjectKey workload, Set<String> names) {
    checks.computeIfPresent(
        workload,
        (key, known) -> {
          known
              .entrySet()
              .removeIf(one -> !names.contains(one.getKey()) || one.getValue().isBlank());
          return known.isEmpty() ? null : known;
        });
  }

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

  /** The holdings that checks may have for a workload of this name, or had for one before it. */
  Set<Holding> holdings(ObjectKey workload) {
    return Set.copyOf(holdings.getOrDefault(workload, Set.of()));
  }

  /** The check no longer holds this. */
  void gaveUp(Holding holding) {
    holdings.computeIfPresent(
        holding.workload(),
        (key, known) -> {
          known.remove(holding);
          return known.isEmpty() ? null : known;
        });
  }

  /** How many workloads something is remembered about. */
  int size() {
    Set<ObjectKey> all = new HashSet<>(checks.keySet());
    all.addAll(holdings.keySet());
    return all.size();
  }
}
