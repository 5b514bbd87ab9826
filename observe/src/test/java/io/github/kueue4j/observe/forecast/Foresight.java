// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.forecast;

import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.simulation.Simulation;
import io.github.kueue4j.observe.dryrun.ReadObjects;
import io.github.kueue4j.observe.dryrun.TrialState;
import io.kubernetes.client.common.KubernetesObject;
import java.time.Instant;
import java.util.Optional;

/** What a dry run foresees for a Workload, among objects that a test gives it. */
public final class Foresight implements Simulation.Client {
  private final ReadObjects objects = new ReadObjects();

  @Override
  public <T extends KubernetesObject> void put(ResourceType<T> type, T object) {
    objects.put(type, object);
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
}
