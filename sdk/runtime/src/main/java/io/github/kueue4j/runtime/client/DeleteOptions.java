// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The options of a deletion.
 *
 * @param propagation how its dependents are treated
 * @param uid delete only the object with this uid (409 otherwise), or null
 * @param resourceVersion delete only this version (409 otherwise), or null
 * @param gracePeriodSeconds time until a pod is killed; 0 removes the object without waiting for
 *     its kubelet; null for the object's own setting
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DeleteOptions(
    Propagation propagation,
    @Nullable String uid,
    @Nullable String resourceVersion,
    @Nullable Integer gracePeriodSeconds) {

  /** How the dependents of a deleted object are treated. */
  public enum Propagation {
    /** The garbage collector removes them afterwards. */
    BACKGROUND("Background"),
    /** They are removed first. */
    FOREGROUND("Foreground"),
    /** They remain. */
    ORPHAN("Orphan");

    private final String wireName;

    Propagation(String wireName) {
      this.wireName = wireName;
    }

    String wireName() {
      return wireName;
    }
  }

  /** Dependents are removed in the background; no precondition. */
  public static DeleteOptions background() {
    return new DeleteOptions(Propagation.BACKGROUND, null, null, null);
  }

  /** A copy with another propagation. */
  public DeleteOptions withPropagation(Propagation other) {
    return new DeleteOptions(other, uid, resourceVersion, gracePeriodSeconds);
  }

  /** A copy that deletes only the object with this uid. */
  public DeleteOptions withUid(@Nullable String precondition) {
    return new DeleteOptions(propagation, precondition, resourceVersion, gracePeriodSeconds);
  }

  /** A copy that deletes only this version. */
  public DeleteOptions withResourceVersion(@Nullable String precondition) {
    return new DeleteOptions(propagation, uid, precondition, gracePeriodSeconds);
  }

  /** A copy with another grace period in seconds; 0 removes the object at once. */
  public DeleteOptions withGracePeriodSeconds(@Nullable Integer seconds) {
    return new DeleteOptions(propagation, uid, resourceVersion, seconds);
  }
}
