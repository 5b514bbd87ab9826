// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.runtime.client.KubernetesApiException;
import java.time.Instant;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Requests that are all made, also where the API server refuses some of them. */
@API(status = API.Status.INTERNAL)
public final class Attempts {
  private boolean refused;
  private @Nullable KubernetesApiException failure;

  /** Stops a Job by {@link JobRuns#stop}, which tells of a refusal. */
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
          }
        });
  }

  void make(Runnable request) {
    try {
      request.run();
    } catch (KubernetesApiException e) {
      failure = failure == null ? e : failure;
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
