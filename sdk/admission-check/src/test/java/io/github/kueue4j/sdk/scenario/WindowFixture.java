// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/**
 * A check whose parameters say how long a window is closed, on a cluster with one AdmissionCheck.
 */
abstract class WindowFixture {

  static final String CONTROLLER = "example.com/window";
  static final String SETTINGS = "settings";

  /** How long the window is closed. */
  record Window(Duration closedFor) {
    static Window read(Map<String, String> data) {
      return new Window(Duration.ofHours(Long.parseLong(data.getOrDefault("hours", "none"))));
    }
  }

  static final ResourceType<CustomResource<Window>> WINDOWS =
      ResourceType.clusterScoped("ops.example.com/v1", "MaintenanceWindow", Window.class);

  static final Check<Window> CHECK =
      evaluation -> {
        Duration closed = evaluation.parameters().closedFor();
        return closed.isZero()
            ? Verdict.ready("open")
            : Verdict.retry(Reason.of("Closed"), "closed", Delay.exactly(closed));
      };

  final ManualTime time = ManualTime.create();
  final KueueSide kueue = new KueueSide(time);
  final List<AutoCloseable> open = new ArrayList<>(List.of(kueue));

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  @Nullable Integer delay(ObjectKey job) {
    return kueue.entry(job, "window").requeueAfterSeconds();
  }

  void awaitBad(String message) {
    await().until(() -> kueue.active("window").message().equals(message));
    assertThat(kueue.active("window").isFalse()).isTrue();
    assertThat(kueue.active("window").reason()).isEqualTo("BadParametersRef");
  }

  void run(Parameters<Window> parameters) throws InterruptedException {
    run(parameters, CHECK, builder -> builder);
  }

  void run(
      Parameters<Window> parameters,
      Check<Window> check,
      UnaryOperator<CheckController.Builder> options)
      throws InterruptedException {
    ClusterConnection cluster =
        kueue.connect(
            "window",
            permissions ->
                permissions.reading("configmaps", SETTINGS).reading(WINDOWS.qualifiedName(), ""));
    open.add(cluster);
    CheckController controller =
        options
            .apply(CheckController.builder(CONTROLLER, CheckEnvironment.of(cluster, time)))
            .check(parameters, check)
            .build();
    open.add(controller);
    controller.start();
  }

  void referToNothing() {
    kueue
        .server()
        .apply(
            """
            {apiVersion: v1, kind: Namespace, metadata: {name: settings}}
            ---
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: AdmissionCheck
            metadata: {name: window}
            spec: {controllerName: example.com/window}
            """);
  }

  void refer(String group, String kind) {
    kueue
        .server()
        .apply(
            """
            {apiVersion: v1, kind: Namespace, metadata: {name: settings}}
            ---
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: AdmissionCheck
            metadata: {name: window}
            spec:
              controllerName: example.com/window
              parameters: {apiGroup: %s, kind: %s, name: cfg}
            """
                .formatted(group, kind));
  }

  void configMap(String... data) {
    StringBuilder yaml =
        new StringBuilder(
            "{apiVersion: v1, kind: ConfigMap, metadata: {namespace: settings, name: cfg}, data: {");
    for (int i = 0; i < data.length; i += 2) {
      yaml.append("%s: \"%s\", ".formatted(data[i], data[i + 1]));
    }
    kueue.server().apply(yaml.append("}}").toString());
  }

  void define() {
    define(kueue);
  }

  static void define(KueueSide kueue) {
    kueue
        .server()
        .apply(
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: maintenancewindows.ops.example.com}
            spec:
              group: ops.example.com
              scope: Cluster
              names: {kind: MaintenanceWindow, plural: maintenancewindows, singular: maintenancewindow}
              versions:
                - name: v1
                  served: true
                  storage: true
                  schema:
                    openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
            """);
  }

  void window(String closedFor) {
    kueue
        .server()
        .apply(
            """
            {apiVersion: ops.example.com/v1, kind: MaintenanceWindow, metadata: {name: cfg},
             spec: {closedFor: "%s"}}
            """
                .formatted(closedFor));
  }
}
