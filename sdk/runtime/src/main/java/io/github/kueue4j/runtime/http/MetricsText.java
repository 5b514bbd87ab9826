// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.http;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.snapshots.DuplicateLabelsException;
import org.apiguardian.api.API;

/** All meters of a registry in Prometheus' text format. */
@API(status = API.Status.INTERNAL)
public final class MetricsText {
  private static final int TRIES = 10;

  private MetricsText() {}

  /**
   * The meters as they are now.
   *
   * @throws DuplicateLabelsException if a meter stands there twice however often they are read
   */
  public static String of(PrometheusMeterRegistry meters) {
    for (int attempt = 1; attempt < TRIES; attempt++) {
      try {
        return meters.scrape();
      } catch (DuplicateLabelsException e) {
        // A registry isn't read at one moment. A gauge that went and came back meanwhile is in it
        // twice,
        // if it is the only one of its name: the collector of the name went and came back with it.
      }
    }
    return meters.scrape();
  }
}
