// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import io.github.kueue4j.api.ObjectKey;
import java.time.Instant;

/**
 * Something that happened to a Workload.
 *
 * @param number in the order in which this process saw them, from 1
 * @param time when it was seen
 * @param kind what happened
 * @param namespace of the Workload
 * @param workload its name
 * @param clusterQueue whose quota it held or got; empty if that isn't known
 * @param reason in one word; empty if there is none
 * @param message for people; may be empty
 * @param check the admission check; empty if it isn't about one
 * @param state of the check; empty if it isn't about one
 * @param attempts of the check; 0 if it isn't about one
 */
record Transition(
    long number,
    Instant time,
    TransitionKind kind,
    String namespace,
    String workload,
    String clusterQueue,
    String reason,
    String message,
    String check,
    String state,
    int attempts) {

  /** The kind of a transition. */
  enum TransitionKind {
    QUOTA_RESERVED,
    ADMITTED,
    CHECK,
    EVICTED,
    PREEMPTED,
    REQUEUED,
    FINISHED
  }

  /** The Workload's key. */
  ObjectKey key() {
    return new ObjectKey(namespace, workload);
  }
}
