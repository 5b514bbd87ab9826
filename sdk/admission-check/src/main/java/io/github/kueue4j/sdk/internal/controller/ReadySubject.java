// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.Workload;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The subject of a Ready: those parts of a Workload that a check judges by and that its owner can
 * change while the Ready stands.
 *
 * @param uid of the Workload
 * @param generation of its spec
 * @param labels of the Workload itself
 * @param annotations likewise
 */
record ReadySubject(
    String uid, long generation, Map<String, String> labels, Map<String, String> annotations) {

  /** The Workload as this object shows it. */
  static ReadySubject of(Workload workload) {
    return new ReadySubject(
        Objects.requireNonNullElse(workload.metadata().getUid(), ""),
        Objects.requireNonNullElse(workload.metadata().getGeneration(), 0L),
        orEmpty(workload.metadata().getLabels()),
        orEmpty(workload.metadata().getAnnotations()));
  }

  private static Map<String, String> orEmpty(@Nullable Map<String, String> map) {
    return map == null ? Map.of() : map;
  }
}
