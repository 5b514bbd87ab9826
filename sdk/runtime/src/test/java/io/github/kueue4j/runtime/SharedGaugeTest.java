/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** Several hosts of one process may count in one registry. */
class SharedGaugeTest {

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  @Test
  void hostsOnOneRegistryAddUpAndTakeTheirOwnPartAway() {
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
