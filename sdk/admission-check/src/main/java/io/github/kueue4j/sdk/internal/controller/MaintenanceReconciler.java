// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.controller.Reconciler;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.sdk.maintenance.Maintenance;
import io.github.kueue4j.sdk.objects.ConflictException;
import java.util.concurrent.TimeoutException;

/**
 * Calls an author's {@link Maintenance}, with the timeout that evaluations have. A call that
 * ignores its interruption prevents later ones for the same object, and no others.
 */
final class MaintenanceReconciler implements Reconciler {

  private final String name;
  private final Maintenance work;
  private final AuthorCalls calls;
  private final CheckMetrics metrics;

  MaintenanceReconciler(String name, Maintenance work, AuthorCalls calls, CheckMetrics metrics) {
    this.name = name;
    this.work = work;
    this.calls = calls;
    this.metrics = metrics;
  }

  @Override
  public Requeue reconcile(ObjectKey key) throws Exception {
    try {
      return turn(key).call(() -> work.maintain(key)).map(Requeue::after).orElseGet(Requeue::never);
    } catch (ConflictException e) {
      // The runtime's own, which it retries without a warning.
      throw e.getCause() instanceof KubernetesApiException.Conflict conflict
          ? conflict
          : new KubernetesApiException.Conflict(String.valueOf(e.getMessage()), null);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      metrics.maintenanceFailed(name, e);
      throw e;
    }
  }

  private AuthorCalls.Turn turn(ObjectKey key) throws TimeoutException {
    return calls
        .turn(AuthorCalls.Subject.maintenance(name, key), () -> {})
        .orElseThrow(
            () ->
                new TimeoutException(
                    "the maintenance %s of %s still runs, although it was interrupted: let it end when it is"
                        .formatted(name, key)));
  }
}
