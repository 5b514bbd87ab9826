// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.objects.Watch;
import io.github.kueue4j.sdk.objects.Watched;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A check that keeps sums of objects, knows by itself whom a change concerns, and measures. */
class OwnIndexTest {

  private final ManualTime time = ManualTime.create();
  private final KueueSide kueue = new KueueSide(time);
  private final List<AutoCloseable> open = new ArrayList<>(List.of(kueue));

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  @Test
  void aCheckFollowsObjectsAndWakesWhomTheyConcern() throws Exception {
    kueue
        .server()
        .apply(
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: AdmissionCheck
            metadata: {name: window}
            spec: {controllerName: example.com/window}
            """);
    hours("1");
    ClusterConnection cluster =
        kueue.connect("window", permissions -> permissions.reading("configmaps", ""));
    open.add(cluster);
    Map<ObjectKey, String> hours = new ConcurrentHashMap<>();
    AtomicInteger evaluations = new AtomicInteger();
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    CheckController.Builder builder =
        CheckController.builder("example.com/window", CheckEnvironment.of(cluster, time));
    Watched<V1ConfigMap> maps = builder.watch(Watch.of(CoreTypes.CONFIG_MAP).quietly());
    ObjectKey job = kueue.workload("job");
    maps.onChange(
        key -> {
          hours.compute(
              key,
              (same, before) -> maps.get(key).map(map -> map.getData().get("hours")).orElse(null));
          builder.waker().wake(job);
        });
    CheckController controller =
        builder
            .measure(registry -> registry.gauge("example_maps", hours, Map::size))
            .meters(meters)
            .check(
                evaluation -> {
                  evaluations.incrementAndGet();
                  return Verdict.pending(String.join(" ", hours.values()));
                })
            .build();
    open.add(controller);
    controller.start();
    kueue.reserve(job, "window");
    await().until(() -> "1".equals(kueue.entry(job, "window").message()));
    assertThat(meters.get("example_maps").gauge().value()).isEqualTo(1);

    hours("2");
    await().until(() -> "2".equals(kueue.entry(job, "window").message()));
    kueue
        .api()
        .delete(CoreTypes.CONFIG_MAP, new ObjectKey("default", "cfg"), DeleteOptions.background());
    await().until(() -> kueue.entry(job, "window").message().isEmpty());
    assertThat(builder.admissionChecks().get(ObjectKey.cluster("window"))).isPresent();
  }

  private void hours(String hours) {
    kueue
        .server()
        .apply(
            """
            {apiVersion: v1, kind: ConfigMap, metadata: {namespace: default, name: cfg},
             data: {hours: "%s"}}
            """
                .formatted(hours));
  }
}
