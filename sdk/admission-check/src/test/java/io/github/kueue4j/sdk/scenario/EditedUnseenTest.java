// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.lease.LeaderElection;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Parameters are edited while no controller looks: the next one ends the delays that were decided
 * from the former ones, and no others.
 */
class EditedUnseenTest {
  private static final String SETTINGS = "settings";
  private static final String LEASE = "window";

  /** How long the window is closed, in hours. */
  record Window(int hours) {}

  private static final ResourceType<CustomResource<Window>> WINDOWS =
      ResourceType.clusterScoped("ops.example.com/v1", "MaintenanceWindow", Window.class);
  private static final Parameters<Window> CONFIG_MAPS =
      Parameters.configMap(SETTINGS, Window.class);

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
  void aConfigMapThatIsEditedWhileNoControllerRuns() throws Exception {
    refer("v1", "ConfigMap", "cfg");
    configMap("cfg", 1);
    CheckController first = start(CONFIG_MAPS, false);
    ObjectKey job = delayed(1);
    first.close();
    time.advance(Duration.ofMinutes(1));

    configMap("cfg", 0);
    start(CONFIG_MAPS, false);

    await().until(() -> ended(job));
    assertThat(entry(job).message())
        .isEqualTo("The parameters of this check have changed: its delay has ended");
  }

  @Test
  void aCustomResourceThatIsEditedWhileNoControllerRuns() throws Exception {
    WindowFixture.define(kueue);
    refer("ops.example.com", "MaintenanceWindow", "cfg");
    window(1);
    CheckController first = start(Parameters.of(WINDOWS), false);
    ObjectKey job = delayed(1);
    first.close();
    time.advance(Duration.ofMinutes(1));

    window(0);
    start(Parameters.of(WINDOWS), false);

    await().until(() -> ended(job));
  }

  @Test
  void anAdmissionCheckThatNamesAnotherObject() throws Exception {
    refer("v1", "ConfigMap", "cfg");
    configMap("cfg", 1);
    configMap("other", 0);
    CheckController first = start(CONFIG_MAPS, false);
    ObjectKey job = delayed(1);
    first.close();
    time.advance(Duration.ofMinutes(1));

    refer("v1", "ConfigMap", "other");
    start(CONFIG_MAPS, false);

    await().until(() -> ended(job));
  }

  @Test
  void anEditAfterALeaderThatLeftInOrder() throws Exception {
    refer("v1", "ConfigMap", "cfg");
    configMap("cfg", 1);
    CheckController first = start(CONFIG_MAPS, true);
    ObjectKey job = delayed(1);
    start(CONFIG_MAPS, true);
    first.close();

    configMap("cfg", 0);

    await()
        .until(
            () -> {
              time.advance(Duration.ofSeconds(1));
              return ended(job);
            });
  }

  /** The controller has seen the edit, and ended before it could act on it. */
  @Test
  void anEditWhoseControllerEndedMeanwhile() throws Exception {
    refer("v1", "ConfigMap", "cfg");
    configMap("cfg", 1);
    CheckController first = start(CONFIG_MAPS, false);
    ObjectKey job = kueue.workload("job");
    kueue.reserve(job, "window");
    await().until(() -> delay(job).equals(Optional.of(3600)));
    // Until the quota is free there is no delay that could end.
    kueue.evict(job, "AdmissionCheck");
    time.advance(Duration.ofMinutes(1));
    configMap("cfg", 0);
    await().until(this::changeIsKept);
    first.close();
    time.advance(Duration.ofMinutes(1));
    kueue.release(job);

    start(CONFIG_MAPS, false);

    await().until(() -> ended(job));
  }

  @Test
  void aRestartWithoutAnEditEndsNoDelay() throws Exception {
    refer("v1", "ConfigMap", "cfg");
    configMap("cfg", 1);
    CheckController first = start(CONFIG_MAPS, false);
    ObjectKey job = delayed(1);
    first.close();
    time.advance(Duration.ofMinutes(1));

    CheckController second = start(CONFIG_MAPS, false);
    settle("one");
    assertThat(delay(job)).contains(3600);

    // Nor does it after an edit, which ended the delays before it.
    configMap("cfg", 2);
    await().until(() -> ended(job));
    await().until(this::changeIsKept);
    time.advance(Duration.ofMinutes(1));
    ObjectKey later = delayed(2);
    second.close();
    time.advance(Duration.ofMinutes(1));
    start(CONFIG_MAPS, false);
    settle("two");
    assertThat(delay(later)).contains(7200);
  }

  /** The controller works, and has found its parameters as they were. */
  private void settle(String name) {
    String before = applied().orElseThrow().message();
    ObjectKey job = kueue.workload(name);
    kueue.reserve(job, "window");
    await().until(() -> entry(job).is(CheckState.RETRY));
    assertThat(applied().orElseThrow().message()).isEqualTo(before);
  }

  /** A workload in a delay of so many hours. */
  private ObjectKey delayed(int hours) {
    ObjectKey job = kueue.workload("job-" + hours);
    kueue.reserve(job, "window");
    await().until(() -> delay(job).equals(Optional.of(hours * 3600)));
    await().until(() -> applied().isPresent());
    kueue.evict(job, "AdmissionCheck");
    kueue.release(job);
    return job;
  }

  private AdmissionCheckState entry(ObjectKey job) {
    return kueue.entry(job, "window");
  }

  private Optional<Integer> delay(ObjectKey job) {
    return Optional.ofNullable(entry(job).requeueAfterSeconds());
  }

  private boolean ended(ObjectKey job) {
    return delay(job).equals(Optional.of(0));
  }

  /** Whether a controller that starts now finds the edit counted. */
  private boolean changeIsKept() {
    return applied().filter(one -> one.reason().equals("Changed")).isPresent();
  }

  private Optional<Condition> applied() {
    return Conditions.find(
        kueue
            .api()
            .get(KueueTypes.ADMISSION_CHECK, ObjectKey.cluster("window"))
            .orElseThrow()
            .status()
            .conditions(),
        "ParametersApplied");
  }

  private CheckController start(Parameters<Window> parameters, boolean oneLeads)
      throws InterruptedException {
    ClusterConnection cluster =
        kueue.connect(
            "window",
            permissions ->
                permissions
                    .withLease(LEASE)
                    .reading("configmaps", SETTINGS)
                    .reading(WINDOWS.qualifiedName(), ""));
    open.add(cluster);
    CheckEnvironment environment = CheckEnvironment.of(cluster, time);
    CheckController controller =
        CheckController.builder(
                "example.com/window",
                oneLeads
                    ? environment.withHosting(
                        host ->
                            host.leaderElection(
                                LeaderElection.named(KueueSide.NAMESPACE, LEASE)
                                    .withIdentity("replica-" + open.size())))
                    : environment)
            .check(
                parameters,
                evaluation -> {
                  int hours = evaluation.parameters().hours();
                  return hours == 0
                      ? Verdict.ready("open")
                      : Verdict.retry(
                          Reason.of("Closed"), "closed", Delay.exactly(Duration.ofHours(hours)));
                })
            .build();
    open.add(controller);
    controller.start();
    return controller;
  }

  private void refer(String group, String kind, String name) {
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
              parameters: {apiGroup: %s, kind: %s, name: %s}
            """
                .formatted(group, kind, name));
  }

  private void configMap(String name, int hours) {
    kueue
        .server()
        .apply(
            """
            {apiVersion: v1, kind: ConfigMap, metadata: {namespace: settings, name: %s},
             data: {hours: "%d"}}
            """
                .formatted(name, hours));
  }

  private void window(int hours) {
    kueue
        .server()
        .apply(
            """
            {apiVersion: ops.example.com/v1, kind: MaintenanceWindow, metadata: {name: cfg},
             spec: {hours: %d}}
            """
                .formatted(hours));
  }
}
