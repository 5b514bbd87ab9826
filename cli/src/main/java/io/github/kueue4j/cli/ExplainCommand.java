// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.observe.explain.Explain;
import io.github.kueue4j.observe.explain.Explanation;
import io.github.kueue4j.observe.explain.UnknownNameException;
import io.github.kueue4j.runtime.client.ClusterConnection;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code kueue4j explain NAME}: why a Workload isn't running. */
@Command(
    name = "explain",
    description =
        "Says why a Workload or Job isn't running, who has to do what, and when it goes on.")
final class ExplainCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "NAME",
      description =
          "a Workload, or else a Job or JobSet; workload/NAME, job/NAME or jobset/NAME where there are"
              + " several; pod/NAME for what a pod belongs to; rayjob/NAME, deployment/NAME and so on for"
              + " what isn't managed")
  private String name = "";

  @Mixin private AnswerOptions answer = new AnswerOptions();

  @Mixin private KueueCluster cluster = new KueueCluster();

  @Override
  public Integer call() throws InterruptedException {
    return cluster.use(
        "explain needs at least get and list of Workloads and Jobs in the namespace",
        (connection, out) -> {
          Instant now = TimeSource.wallClock().instant();
          Explanation explanation = explain(connection, now);
          out.print(
              answer
                  .format()
                  .print(
                      () -> ExplanationText.text(explanation, now),
                      () -> ExplanationText.tree(explanation, now)));
          return 0;
        });
  }

  private Explanation explain(ClusterConnection connection, Instant now) {
    try {
      return Explain.why(
          answer.explainReader(connection.api()).read(answer.namespace(connection), name), now);
    } catch (UnknownNameException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }
}
