// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.observe.dryrun.DryRunInput;
import io.github.kueue4j.observe.explain.Explain;
import io.github.kueue4j.observe.explain.ExplainInput;
import io.github.kueue4j.observe.explain.ObservedJob;
import io.github.kueue4j.observe.explain.UnknownNameException;
import io.github.kueue4j.observe.forecast.Forecast;
import io.github.kueue4j.observe.forecast.QuotaForecast;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code kueue4j when NAME}: when a Workload that waits gets quota. */
@Command(
    name = "when",
    description =
        "Estimates when a Job or Workload that waits gets quota: runs the scheduler ahead of time,"
            + " over and over, with what finished Workloads of the same queues tell. Reads only.")
final class WhenCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "NAME",
      description = "a Job or Workload, as explain takes it: name, job/NAME or workload/NAME")
  private String name = "";

  @Mixin private AnswerOptions answer = new AnswerOptions();

  @Mixin private KueueCluster cluster = new KueueCluster();

  @Override
  public Integer call() throws InterruptedException {
    return cluster.use(
        "when needs get and list of what the scheduler decides by",
        (connection, out) -> {
          ForecastText text = text(connection, TimeSource.wallClock().instant());
          out.print(answer.format().print(text::text, text::tree));
          return 0;
        });
  }

  private ForecastText text(ClusterConnection connection, Instant now) {
    KubernetesApi api = connection.api();
    try {
      ExplainInput input = answer.explainReader(api).read(answer.namespace(connection), name);
      String why = Explain.why(input, now).summary();
      Workload workload = input.workload();
      if (workload == null) {
        return ForecastText.notWaiting(
            name, ended(input) ? "has ended" : "has no Workload", Optional.empty(), why);
      }
      String key = workload.key().toString();
      return Forecast.notWaiting(workload)
          .map(
              words ->
                  ForecastText.notWaiting(
                      key,
                      words,
                      Forecast.checks(() -> around(api, workload).objects(), workload),
                      why))
          .orElseGet(() -> ForecastText.of(key, forecast(api, workload, now), why));
    } catch (UnknownNameException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }

  private static boolean ended(ExplainInput input) {
    return Optional.ofNullable(input.job()).filter(ObservedJob::finished).isPresent();
  }

  private DryRunInput around(KubernetesApi api, Workload workload) {
    return answer.dryRunReader(api).read(workload.key().namespace());
  }

  private QuotaForecast forecast(KubernetesApi api, Workload workload, Instant now) {
    try {
      return Forecast.of(around(api, workload), workload.key(), now);
    } catch (IllegalArgumentException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }
}
