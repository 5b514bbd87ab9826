// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.runtime.controller.SharedPlaces;
import io.github.kueue4j.sdk.Guards;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import java.time.Duration;

/**
 * The places in which a controller's evaluations run, {@link Guards#maxConcurrentEvaluations} of
 * them. Namespaces share them: evaluations of one that never end leave places to the others.
 */
final class EvaluationPlaces {

  private final Bulkhead all;
  private final SharedPlaces<String> shares;

  /**
   * Places that are all free.
   *
   * @param patience how long a caller waits while all places are taken; one whose namespace has its
   *     share doesn't wait
   */
  EvaluationPlaces(String controllerName, int count, Duration patience) {
    this.all =
        Bulkhead.of(
            controllerName,
            BulkheadConfig.custom().maxConcurrentCalls(count).maxWaitDuration(patience).build());
    this.shares = SharedPlaces.of(count);
  }

  /** Whether the namespace has one place more now; it must then be given back once. */
  boolean tryTake(String namespace) {
    // In this order: a place that is free may still be one that the namespace must not have.
    if (free() > 0 && !shares.mayTake(namespace)) {
      return false;
    }
    if (!all.tryAcquirePermission()) {
      return false;
    }
    if (!shares.tryTake(namespace)) {
      all.releasePermission();
      return false;
    }
    return true;
  }

  /** Gives back a place. */
  void giveBack(String namespace) {
    shares.giveBack(namespace);
    all.releasePermission();
  }

  /** How many places are free. */
  int free() {
    return all.getMetrics().getAvailableConcurrentCalls();
  }
}
