// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A replica in a process of its own is ended by a signal. */
@EnabledOnOs(OS.LINUX)
class TerminationTest {
  private static final Path GUIDE = Checkout.root().resolve("docs/guides/sdk.md");
  private static final String POD = "license-7f-x2";
  private static final ObjectKey LEASE = new ObjectKey(KueueSide.NAMESPACE, "license");

  @TempDir Path folder;

  private final KueueSide kueue = new KueueSide(ManualTime.create());
  private ServerSocket backend;

  @BeforeEach
  void openBackend() throws Exception {
    OwnProcess.assumeItCanBeInterrupted();
    backend = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    backend.setSoTimeout((int) TimeUnit.MINUTES.toMillis(2));
  }

  @AfterEach
  void close() throws IOException {
    backend.close();
    kueue.close();
  }

  /** By SIGINT; that SIGTERM releases the Lease is in the other tests. */
  @Tag("landing")
  @Test
  void theNextReplicaLeadsWithoutWaitingForTheLeaseToExpire() throws Exception {
    theNextReplicaLeads("INT", 130);
  }

  @Tag("nightly")
  @Test
  void soItDoesAfterSigterm() throws Exception {
    theNextReplicaLeads("TERM", 0);
  }

  private void theNextReplicaLeads(String signal, int status) throws Exception {
    try (OwnProcess old = start();
        ClusterConnection cluster =
            ClusterConnection.builder("next").url(kueue.server().uri()).connect();
        CheckController next =
            ReplicaProcess.controller(cluster, evaluation -> Verdict.ready("Fine."))) {
      await().until(() -> holder().equals(POD));
      next.start();

      old.signal(signal);

      old.assertEnds(status);
      await().until(() -> next.host().leading());
      assertThat(holder()).isNotEqualTo(POD).isNotEmpty();
    }
  }

  /** And every verdict is a line of the log. */
  @Test
  void theVerdictOfARunningEvaluationIsWrittenAndTheLeaseReleased() throws Exception {
    kueue.admissionCheck("license", "example.com/license");
    ObjectKey job = kueue.workload("job");
    kueue.reserve(job, "license");
    try (OwnProcess replica = start()) {
      answer(0);
      await().until(() -> kueue.entry(job, "license").is(CheckState.RETRY));
      kueue.evict(job, "AdmissionCheck");
      kueue.release(job);
      kueue.requeue(job);
      kueue.reserve(job, "license");
      try (Socket evaluation = backend.accept()) {
        replica.signal("TERM");
        await().until(() -> replica.errors().contains("The process was asked to end"));
        assertThat(holder()).as("it goes on writing").isNotEmpty();

        evaluation.getOutputStream().write(7);
      }

      replica.assertEnds(0);
      assertThat(kueue.entry(job, "license").is(CheckState.READY)).isTrue();
      assertThat(kueue.entry(job, "license").message()).isEqualTo("There are 7.");
      assertThat(holder()).isEmpty();
      String entry = "Wrote a verdict workload=\"default/job\" check=\"license\" ";
      assertThat(replica.errors().lines().filter(line -> line.contains("Wrote a verdict")))
          .satisfiesExactly(
              first ->
                  assertThat(first)
                      .contains(" INFO ")
                      .endsWith(
                          entry
                              + "state=\"Retry\" reason=\"NoLicense\" delay=\"PT1M\""
                              + " attempt=\"0\""),
              second -> assertThat(second).endsWith(entry + "state=\"Ready\" attempt=\"1\""));
    }
  }

  private void answer(int free) throws IOException {
    try (Socket evaluation = backend.accept()) {
      evaluation.getOutputStream().write(free);
    }
  }

  @Tag("landing")
  @Test
  void endsWhileItStarts() throws Exception {
    RequestMatcher workloads =
        RequestMatcher.verbs("list").and(request -> request.path().endsWith("/workloads"));
    var refused = kueue.server().faults().failNext(100_000, workloads, 500);
    try (OwnProcess replica = start()) {
      await().until(() -> refused.hits() > 0);

      replica.signal("TERM");

      replica.assertEnds(0);
    }
  }

  /** The holder of the Lease; empty if there is none. */
  private String holder() {
    return kueue
        .api()
        .get(CoreTypes.LEASE, LEASE)
        .map(lease -> lease.getSpec().getHolderIdentity())
        .orElse("");
  }

  private OwnProcess start() throws IOException {
    return OwnProcess.start(
        folder,
        POD,
        loggingOfTheGuide(),
        ReplicaProcess.class,
        List.of(kueue.server().uri().toString(), Integer.toString(backend.getLocalPort())));
  }

  private static String loggingOfTheGuide() throws IOException {
    String guide = Files.readString(GUIDE);
    int from = guide.indexOf("<configuration>");
    int to = guide.indexOf("```", from);
    return guide.substring(from, to);
  }
}
