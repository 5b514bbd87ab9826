// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** Several hosts of one process may share a registry. */
class SharedGaugeTest {

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  @Test
  void hostsOnOneRegistryAddUpAndRemoveTheirOwnValue() {
    try (var time = ManualTime.create();
        var connection =
            ClusterConnection.builder("test").url(URI.create("http://127.0.0.1:1")).open()) {
      Controller first = Controller.builder("evaluations", key -> Requeue.never()).build();
      Controller second = Controller.builder("evaluations", key -> Requeue.never()).build();
      ControllerHost one =
          ControllerHost.builder(connection, time).meters(meters).controller(first).build();
      ControllerHost two =
          ControllerHost.builder(connection, time).meters(meters).controller(second).build();
      first.queue().add(ObjectKey.cluster("a"));
      second.queue().add(ObjectKey.cluster("a"));
      second.queue().add(ObjectKey.cluster("b"));
      assertThat(depth()).isEqualTo(3);

      one.close();
      assertThat(depth()).isEqualTo(2);
      two.close();
      assertThat(meters.find("workqueue.depth").gauge()).isNull();
    }
  }

  private double depth() {
    return meters.get("workqueue.depth").tag("name", "evaluations").gauge().value();
  }
}
