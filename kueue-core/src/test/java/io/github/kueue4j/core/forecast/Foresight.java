// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.forecast;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.dryrun.ReadObjects;
import io.github.kueue4j.core.dryrun.TrialState;
import io.github.kueue4j.core.scheduler.Decision;
import io.kubernetes.client.common.KubernetesObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a dry run foresees for a Workload, among objects that a test gives it. */
public final class Foresight {
  private final ReadObjects objects = new ReadObjects();

  /** The cluster has this object. */
  public <T extends KubernetesObject> void put(ResourceType<T> type, T object) {
    objects.put(type, object);
  }

  /** What the cluster has of this type. */
  public <T extends KubernetesObject> List<T> all(ResourceType<T> type) {
    return objects.all(type);
  }

  /** The decision about a new Workload; empty if it isn't tried. */
  public Optional<Decision> decision(Configuration configuration, Workload added, Instant now) {
    TrialState trial = TrialState.of(configuration, objects, now);
    trial.submit(added);
    return trial
        .reserved(added.key())
        .<Decision>map(reserved -> reserved)
        .or(() -> trial.refused(added.key()));
  }

  /** When a Workload that waits gets quota. */
  public QuotaForecast forecast(Configuration configuration, ObjectKey workload, Instant now) {
    return Forecast.of(configuration, objects, workload, now);
  }
}
