// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.objects.Watch;
import io.github.kueue4j.sdk.objects.Watched;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A kind that something else brings, while the controller runs. */
class AwaitedKindTest {

  /** An order of licenses. */
  record Order(int seats) {}

  private static final ResourceType<CustomResource<Order>> ORDERS =
      ResourceType.clusterScoped("shop.example.com/v1", "Order", Order.class);

  private static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: orders.shop.example.com}
      spec:
        group: shop.example.com
        scope: Cluster
        names: {kind: Order, plural: orders, singular: order, listKind: OrderList}
        versions:
        - name: v1
          served: true
          storage: true
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec: {type: object, properties: {seats: {type: integer}}}
      """;

  @Test
  void theCheckIsActiveOnceTheKindIsServedAndThenSeesItsObjects() throws Exception {
    ManualTime time = ManualTime.create();
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    try (KueueSide kueue = new KueueSide(time);
        ClusterConnection cluster =
            kueue.connect(
                "orders", permissions -> permissions.reading("orders.shop.example.com", ""))) {
      kueue.admissionCheck("orders", "example.com/orders");
      CheckController.Builder builder =
          CheckController.builder("example.com/orders", CheckEnvironment.of(cluster, time));
      Watched<CustomResource<Order>> orders = builder.watch(Watch.of(ORDERS).whenServed());
      builder
          .meters(meters)
          .measure(
              registry ->
                  Gauge.builder("orders", orders, all -> all.list().size()).register(registry))
          .check(
              evaluation ->
                  orders.list().isEmpty()
                      ? Verdict.pending("nothing is ordered")
                      : Verdict.ready("ordered"));
      try (CheckController controller = builder.build()) {
        controller.start();
        ObjectKey job = kueue.workload("job");
        kueue.reserve(job, "orders");

        await().until(() -> kueue.active("orders").reason().equals("KindNotServed"));
        assertThat(kueue.active("orders").isFalse()).isTrue();
        assertThat(kueue.active("orders").message())
            .isEqualTo(
                "the API server does not serve orders.shop.example.com in the version v1: install"
                    + " what brings this kind; the check waits for it");
        await()
            .until(
                () -> kueue.entry(job, "orders").message().startsWith("The check is not active: "));
        assertThat(orders.list()).isEmpty();

        kueue.server().apply(DEFINITION);
        await()
            .until(
                () -> {
                  time.advance(Duration.ofSeconds(10));
                  return kueue.active("orders").isTrue();
                });
        await().until(() -> kueue.entry(job, "orders").message().equals("nothing is ordered"));

        kueue
            .server()
            .apply(
                "{apiVersion: shop.example.com/v1, kind: Order, metadata: {name: a}, spec: {seats: 1}}");
        await().until(() -> kueue.entry(job, "orders").is(CheckState.READY));
        assertThat(meters.get("orders").gauge().value()).isEqualTo(1);
      }
    }
  }
}
