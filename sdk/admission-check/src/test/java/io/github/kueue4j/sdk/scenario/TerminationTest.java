// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static io.github.kueue4j.sdk.Patient.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.controller.CheckController;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A replica in a process of its own is ended by a signal. */
@EnabledOnOs(OS.LINUX)
class TerminationTest {
  private static final Path GUIDE =
      Path.of("").toAbsolutePath().resolve("../../docs/guides/sdk.md");
  private static final List<String> NOT_IGNORING = List.of("env", "--default-signal=INT");
  private static final String POD = "license-7f-x2";
  private static final ObjectKey LEASE = new ObjectKey(KueueSide.NAMESPACE, "license");

  @TempDir Path folder;

  private final KueueSide kueue = new KueueSide(ManualTime.create());
  private ServerSocket backend;

  @BeforeEach
  void openBackend() throws Exception {
    assumeTrue(mayBeInterrupted(), "env knows no --default-signal");
    backend = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    backend.setSoTimeout((int) TimeUnit.MINUTES.toMillis(2));
  }

  @AfterEach
  void close() throws IOException {
    backend.close();
    kueue.close();
  }

  @ParameterizedTest
  @CsvSource({"TERM, 15", "INT, 2"})
  void theNextReplicaLeadsWithoutWaitingForTheLeaseToExpire(String signal, int number)
      throws Exception {
    Process old = start();
    try (ClusterConnection cluster =
            ClusterConnection.builder("next").url(kueue.server().uri()).connect();
        CheckController next =
            ReplicaProcess.controller(cluster, evaluation -> Verdict.ready("Fine."))) {
      await().until(() -> holder().equals(POD));
      next.start();

      signal(signal, old);

      assertEnds(old, 128 + number);
      await().until(() -> next.host().leading());
      assertThat(holder()).isNotEqualTo(POD).isNotEmpty();
    } finally {
      old.destroyForcibly();
    }
  }

  @Test
  void theVerdictOfARunningEvaluationIsWrittenAndTheLeaseReleased() throws Exception {
    kueue.admissionCheck("license", "example.com/license");
    ObjectKey job = kueue.workload("job");
    kueue.reserve(job, "license");
    Process replica = start();
    try (Socket evaluation = backend.accept()) {
      signal("TERM", replica);
      await().until(() -> errors().contains("The process was asked to end"));
      assertThat(holder()).as("it goes on writing").isNotEmpty();

      evaluation.getOutputStream().write(7);

      assertEnds(replica, 143);
      assertThat(kueue.entry(job, "license").is(CheckState.READY)).isTrue();
      assertThat(kueue.entry(job, "license").message()).isEqualTo("There are 7.");
      assertThat(holder()).isEmpty();
    } finally {
      replica.destroyForcibly();
    }
  }

  @Test
  void everyVerdictIsALineOfTheLog() throws Exception {
    kueue.admissionCheck("license", "example.com/license");
    ObjectKey job = kueue.workload("job");
    kueue.reserve(job, "license");
    Process replica = start();
    try {
      answer(0);
      await().until(() -> kueue.entry(job, "license").is(CheckState.RETRY));
      kueue.evict(job, "AdmissionCheck");
      kueue.release(job);
      kueue.requeue(job);
      kueue.reserve(job, "license");
      answer(7);
      await().until(() -> kueue.entry(job, "license").is(CheckState.READY));

      signal("TERM", replica);

      assertEnds(replica, 143);
      String entry = "Wrote a verdict workload=\"default/job\" check=\"license\" ";
      assertThat(errors().lines().filter(line -> line.contains("Wrote a verdict")))
          .satisfiesExactly(
              first ->
                  assertThat(first)
                      .contains(" INFO ")
                      .endsWith(
                          entry
                              + "state=\"Retry\" reason=\"NoLicense\" delay=\"PT1M\""
                              + " attempt=\"0\""),
              second -> assertThat(second).endsWith(entry + "state=\"Ready\" attempt=\"1\""));
    } finally {
      replica.destroyForcibly();
    }
  }

  private void answer(int free) throws IOException {
    try (Socket evaluation = backend.accept()) {
      evaluation.getOutputStream().write(free);
    }
  }

  @Test
  void endsWhileItStarts() throws Exception {
    RequestMatcher workloads =
        RequestMatcher.verbs("list").and(request -> request.path().endsWith("/workloads"));
    var refused = kueue.server().faults().failNext(100_000, workloads, 500);
    Process replica = start();
    try {
      await().until(() -> refused.hits() > 0);

      signal("TERM", replica);

      assertEnds(replica, 143);
    } finally {
      replica.destroyForcibly();
    }
  }

  /** The process ends with this status, and without a stack trace or an error in the log. */
  private void assertEnds(Process process, int status) throws Exception {
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("it ends: " + errors()).isTrue();
    assertThat(process.exitValue()).as(errors()).isEqualTo(status);
    assertThat(errors())
        .contains("The process was asked to end")
        .doesNotContain("\tat ", "Exception", "ERROR");
  }

  private String errors() throws IOException {
    return Files.readString(folder.resolve("stderr"));
  }

  /** The holder of the Lease; empty if there is none. */
  private String holder() {
    return kueue
        .api()
        .get(CoreTypes.LEASE, LEASE)
        .map(lease -> lease.getSpec().getHolderIdentity())
        .orElse("");
  }

  private Process start() throws IOException {
    return new ProcessBuilder(
            NOT_IGNORING.getFirst(),
            NOT_IGNORING.getLast(),
            "POD_NAME=" + POD,
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Dlogback.configurationFile=" + loggingOfTheGuide(),
            "-cp",
            System.getProperty("java.class.path"),
            ReplicaProcess.class.getName(),
            kueue.server().uri().toString(),
            Integer.toString(backend.getLocalPort()))
        .redirectError(folder.resolve("stderr").toFile())
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** Processes in the background of a script, as builds are, inherit that they ignore SIGINT. */
  private static boolean mayBeInterrupted() throws Exception {
    return new ProcessBuilder(List.of(NOT_IGNORING.getFirst(), NOT_IGNORING.getLast(), "true"))
            .start()
            .waitFor()
        == 0;
  }

  private Path loggingOfTheGuide() throws IOException {
    String guide = Files.readString(GUIDE);
    int from = guide.indexOf("<configuration>");
    int to = guide.indexOf("```", from);
    return Files.writeString(folder.resolve("logback.xml"), guide.substring(from, to));
  }

  private static void signal(String name, Process process) throws Exception {
    Process kill =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start();
    assertThat(kill.waitFor()).isZero();
  }
}
