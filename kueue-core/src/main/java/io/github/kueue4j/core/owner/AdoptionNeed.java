// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

/** The need of a Job for which there is no Workload. */
enum AdoptionNeed {
  /** It isn't managed, or the Job that it belongs to has a Workload for both. */
  NOTHING,
  /** It runs although the Job that it belongs to is suspended. */
  SUSPENSION,
  /** It has to stop before it can have a Workload. */
  STOP,
  /** A Workload. */
  WORKLOAD;

  /**
   * Judges a Job that has neither ended nor is being deleted.
   *
   * @param above what the topmost Job that it belongs to is doing
   * @param eligible whether it is managed, unless it belongs to another that is
   * @param suspended whether it may not run
   * @param atRest whether nothing of it runs, and no mark of an earlier start is left on it
   */
  static AdoptionNeed of(
      Ancestors.Above above, boolean eligible, boolean suspended, boolean atRest) {
    return switch (above) {
      case SUSPENDED -> suspended ? NOTHING : SUSPENSION;
      case RUNNING -> NOTHING;
      case NONE -> {
        if (!eligible) {
          yield NOTHING;
        }
        yield atRest ? WORKLOAD : STOP;
      }
    };
  }
}
