// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Holding;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.example.SecurityScanCheck.Finding;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The examples of the guide at work. */
@KueueTest
class ExamplesTest {

  @Test
  void theSecurityScanIsAskedAgainFiveMinutesLater(KueueCluster cluster) {
    AtomicReference<Finding> finding = new AtomicReference<>(Finding.NOT_SCANNED_YET);
    run(cluster, new SecurityScanCheck(image -> finding.get()));

    PlayedWorkload job = cluster.workload("job").reserve().awaitState("check", CheckState.RETRY);
    assertThat(delay(job)).isBetween(300, 361);
    finding.set(Finding.CLEAN);
    job.backOff().requeue().reserve().awaitState("check", CheckState.READY);

    finding.set(Finding.VULNERABLE);
    PlayedWorkload bad = cluster.workload("bad").reserve().awaitState("check", CheckState.REJECTED);
    assertThat(bad.entry("check").message()).startsWith("Rebuild ");
  }

  @Test
  void aLicenseIsLeasedForAReservationAndGivenBackWithIt(KueueCluster cluster) {
    OneLicense server = new OneLicense();
    run(cluster, new LicenseServerCheck(server));

    PlayedWorkload first = cluster.workload("first").reserve();
    first.awaitState("check", CheckState.READY);
    PlayedWorkload second = cluster.workload("second").reserve();
    second.awaitState("check", CheckState.RETRY);
    assertThat(delay(second)).isBetween(60, 73);

    first.finish();
    await().until(() -> server.leases.isEmpty());
    second.backOff().requeue().reserve().awaitState("check", CheckState.READY);
    second.delete();
    await().until(() -> server.leases.isEmpty());
  }

  @Test
  void aLicenseInAConfigMapEndsTheDelay(KueueCluster cluster) {
    runController(cluster, LicenseFileCheck::controller);
    cluster.admissionCheck("check", "example.com/license");
    PlayedWorkload job = cluster.workload("job").reserve().awaitState("check", CheckState.RETRY);
    job.backOff();

    cluster.apply(
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: license, namespace: %s}
        """
            .formatted(job.key().namespace()));

    await().until(() -> delay(job) == 0);
    assertThat(job.entry("check").message()).isEqualTo("A license has come.");
    job.requeue().reserve().awaitState("check", CheckState.READY);
  }

  @Test
  void theHigherTheStressTheLonger(KueueCluster cluster) {
    AtomicReference<Double> stress = new AtomicReference<>(0.5);
    run(cluster, new ControlPlaneCheck(stress::get));

    cluster.script().awaitActive("check");
    cluster.workload("calm").reserve().awaitState("check", CheckState.READY);
    stress.set(0.9);
    // 30 s + 570 s · 0.9 = 543 s, and up to a fifth more.
    assertThat(delay(cluster.workload("a").reserve().awaitState("check", CheckState.RETRY)))
        .isBetween(543, 652);
    stress.set(1.0);
    assertThat(delay(cluster.workload("b").reserve().awaitState("check", CheckState.RETRY)))
        .isBetween(600, 721);
  }

  /** Each test begins at eight in the morning. */
  @Test
  void theWindowIsWhereItsConfigMapPutsIt(KueueCluster cluster) {
    window(cluster, "check", "22:00", "06:00");
    runController(cluster, WindowCheck::controller);

    PlayedWorkload job = cluster.workload("job").reserve("check");
    job.awaitState("check", CheckState.RETRY);
    assertThat(delay(job)).isBetween(14 * 3600, 14 * 3600 + 61);
    assertThat(job.entry("check").message())
        .matches("It is closed; queued again in 14 h( 1 min)?\\.");
  }

  @Test
  void eachAdmissionCheckOfAControllerHasItsOwnParameters(KueueCluster cluster) {
    window(cluster, "nights", "22:00", "06:00");
    window(cluster, "days", "07:00", "19:00");
    runController(cluster, WindowCheck::controller);

    PlayedWorkload job = cluster.workload("job").reserve("nights", "days");

    job.awaitState("nights", CheckState.RETRY).awaitState("days", CheckState.READY);
    assertThat(job.entry("days").message()).isEqualTo("The window is open until 19:00.");
  }

  private static void window(KueueCluster cluster, String check, String opens, String closes) {
    cluster.apply(
        """
        {apiVersion: v1, kind: Namespace, metadata: {name: team-a}}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: %1$s, namespace: team-a}
        data: {opens: "%2$s", closes: "%3$s", zone: UTC}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: AdmissionCheck
        metadata: {name: %1$s}
        spec:
          controllerName: example.com/window
          parameters: {apiGroup: v1, kind: ConfigMap, name: %1$s}
        """
            .formatted(check, opens, closes));
  }

  private static void run(KueueCluster cluster, Check<NoParameters> check) {
    cluster.admissionCheck("check", "example.com/check");
    runController(
        cluster,
        environment ->
            CheckController.builder("example.com/check", environment).check(check).build());
  }

  private static void runController(
      KueueCluster cluster, Function<CheckEnvironment, CheckController> controllers) {
    cluster.run(
        () -> {
          ClusterConnection connection =
              ClusterConnection.builder("test").url(cluster.uri()).connect();
          CheckController controller =
              controllers.apply(CheckEnvironment.of(connection, cluster.time()));
          controller.start();
          return () -> {
            controller.close();
            connection.close();
          };
        });
  }

  private static int delay(PlayedWorkload job) {
    AdmissionCheckState entry = job.entry("check");
    assertThat(entry.requeueAfterSeconds()).isNotNull();
    return entry.requeueAfterSeconds();
  }

  private static final class OneLicense implements LicenseServerCheck.LicenseServer {
    private final Set<Holding> leases = ConcurrentHashMap.newKeySet();

    @Override
    public synchronized boolean lease(Holding holding) {
      return leases.contains(holding) || (leases.isEmpty() && leases.add(holding));
    }

    @Override
    public void giveBack(Holding holding) {
      leases.remove(holding);
    }

    @Override
    public void giveBackAll(String workloadUid) {
      leases.removeIf(holding -> holding.uid().equals(workloadUid));
    }

    @Override
    public Collection<Holding> leases() {
      return List.copyOf(leases);
    }
  }
}
