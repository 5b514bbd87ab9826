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
package io.github.kueue4j.core.owner;

/** What a Job for which there is no Workload needs. */
enum AdoptionNeed {
  /** It is none of our business, or what it belongs to has all that it needs. */
  NOTHING,
  /** It runs although what it belongs to may not. */
  SUSPENSION,
  /** It has to stop before it can have a Workload. */
  STOP,
  /** A Workload. */
  WORKLOAD;

  /**
   * Judges a Job that has neither ended nor is being deleted.
   *
   * @param above what it belongs to
   * @param eligible whether it is managed, unless it belongs to another that is
   * @param suspended whether it may not run
   * @param atRest whether nothing of it runs, and no mark of an earlier start is left on it
   */
  static AdoptionNeed of(
      Ancestors.Above above, boolean eligible, boolean suspended, boolean atRest) {
    return switch (above) {
      case SUSPENDED -> suspended ? NOTHING : SUSPENSION;
      case RUNNING -> NOTHING;
      case NOBODY -> {
        if (!eligible) {
          yield NOTHING;
        }
        yield atRest ? WORKLOAD : STOP;
      }
    };
  }
}
