// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import org.apiguardian.api.API;

/** The events of Workloads that are written. */
@API(status = API.Status.EXPERIMENTAL)
public enum RecordedEvents {
  /** Evictions, rejections, and reasons that waiting doesn't help against. */
  NOTABLE("Notable"),

  /**
   * Reservations and admissions, too, and each victim of a preemption: two more requests for each
   * admitted Workload.
   */
  ALL("All");

  private final String word;

  RecordedEvents(String word) {
    this.word = word;
  }

  /** The value in the configuration. */
  @Override
  public String toString() {
    return word;
  }
}
