// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.report;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.cache.FreshCache;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.kubernetes.client.common.KubernetesObject;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Writes the statuses of objects of one kind, and only the fields that have changed. */
final class StatusWriter<T extends KubernetesObject> {
  private static final int TRIES = 5;

  /** The outcome of writing a status. */
  enum StatusOutcome {
    /** The object is gone, or has that status. */
    UNCHANGED,
    WRITTEN,
    /** What differs need not be written yet. */
    POSTPONED
  }

  private final FreshCache<T> cache;

  StatusWriter(FreshCache<T> cache) {
    this.cache = cache;
  }

  /**
   * Writes the desired status of an object, unless the object is gone or has that status.
   *
   * @param desired the object with that status
   * @throws KubernetesApiException.Conflict if other clients changed the object during every try
   */
  StatusOutcome write(ObjectKey key, UnaryOperator<T> desired) throws InterruptedException {
    return write(key, desired, (before, after) -> false);
  }

  /**
   * The same, but a difference that need not be written yet isn't.
   *
   * @param postponed whether the difference between the object as it is and as it should be waits
   */
  StatusOutcome write(ObjectKey key, UnaryOperator<T> desired, BiPredicate<T, T> postponed)
      throws InterruptedException {
    return cache.inTurn(key, () -> writeAlone(key, desired, postponed));
  }

  private StatusOutcome writeAlone(
      ObjectKey key, UnaryOperator<T> desired, BiPredicate<T, T> postponed) {
    Optional<T> object = cache.get(key);
    KubernetesApiException.@Nullable Conflict conflict = null;
    for (int attempt = 0; attempt < TRIES && object.isPresent(); attempt++) {
      GuardedPatch<T> patch = GuardedPatch.ofStatus(object.get(), desired.apply(object.get()));
      if (patch.isEmpty()) {
        return StatusOutcome.UNCHANGED;
      }
      if (postponed.test(patch.before(), patch.after())) {
        return StatusOutcome.POSTPONED;
      }
      try {
        cache.writeStatus(patch);
        return StatusOutcome.WRITTEN;
      } catch (KubernetesApiException.NotFound e) {
        object = cache.live(key);
      } catch (KubernetesApiException.Conflict e) {
        conflict = e;
        object = cache.live(key);
      }
    }
    if (object.isPresent() && conflict != null) {
      throw conflict;
    }
    return StatusOutcome.UNCHANGED;
  }
}
