// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.queue;

/** The standing of a shape: whether its Workloads are to be tried. */
enum Standing {
  /** To be tried. */
  UNTRIED,
  /** Exceeds the queue's own quota, and waits for its turn within the cohort. */
  EXCEEDS_NOMINAL,
  /** Was refused, and nothing has changed since. */
  INADMISSIBLE
}
