// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.approvalcheck.ApprovalCheck;
import io.github.kueue4j.cli.Main;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Decisions that the API server stores in one second: its time stands still here. */
@KueueTest
class SameSecondTest {
  @Test
  void anApprovalThatDoesNotHoldIsSaidToBeSo(KueueCluster cluster) {
    ApprovalCheck.crds().forEach(cluster::apply);
    cluster.admissionCheck("large", ApprovalCheck.CONTROLLER_NAME);
    PlayedWorkload workload = cluster.workload("a").reserve();
    assertThat(run(cluster, workload, "deny", "--comment", "No")).contains(" is denied for large");

    assertThat(run(cluster, workload, "approve"))
        .contains(" was written, and another decision of the same second counts: Denied by ")
        .contains("; repeat the command");

    cluster.advance(Duration.ofSeconds(1));
    assertThat(run(cluster, workload, "approve")).contains(" is approved for large");
  }

  private static String run(
      KueueCluster cluster, PlayedWorkload workload, String command, String... more) {
    StringWriter printed = new StringWriter();
    PrintWriter out = new PrintWriter(printed);
    String[] usual = {
      command,
      "workload/" + workload.key().name(),
      "-n",
      workload.key().namespace(),
      "--server",
      cluster.uri().toString()
    };
    Main.run(out, out, Stream.of(usual, more).flatMap(Arrays::stream).toArray(String[]::new));
    return printed.toString();
  }
}
