// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.runtime.client.KubernetesApiException;
import java.time.Instant;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Requests that are all made, also where the API server refuses some of them. When it can't be
 * reached, or can't call a webhook, the rest is left out: each would wait for that anew.
 */
@API(status = API.Status.INTERNAL)
public final class Attempts {
  private boolean refused;
  private boolean hopeless;
  private @Nullable KubernetesApiException failure;

  /** Stops a Job by {@link JobRuns#stop}, which tells of a refusal; other failures are kept. */
  void stop(Runnable stop) {
    make(
        () -> {
          try {
            stop.run();
          } catch (KubernetesApiException e) {
            if (!Refusal.is(e)) {
              throw e;
            }
            refused = true;
            hopeless |= Refusal.isOfAll(e);
          }
        });
  }

  /** Makes a request; its failure is kept. */
  void make(Runnable request) {
    if (hopeless) {
      return;
    }
    try {
      request.run();
    } catch (KubernetesApiException e) {
      hopeless |= Refusal.isOfAll(e);
      if (failure == null) {
        failure = e;
      } else if (failure != e) {
        failure.addSuppressed(e);
      }
    }
  }

  /** Throws the first failure of which only a log can tell. */
  void throwFailure() {
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * When to make them again, since some were refused, as is told; empty if all were accepted.
   *
   * @throws KubernetesApiException the first failure of which only a log can tell
   */
  public Optional<Instant> again(Instant now) {
    throwFailure();
    return refused ? Optional.of(now.plus(UnheededStops.TRIED_AGAIN_AFTER)) : Optional.empty();
  }
}
