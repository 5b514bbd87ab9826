// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.Launch;
import io.github.kueue4j.core.dryrun.DryRunInputReader;
import io.github.kueue4j.core.explain.Explain;
import io.github.kueue4j.core.explain.ExplainInput;
import io.github.kueue4j.core.explain.ExplainInputReader;
import io.github.kueue4j.core.explain.UnknownNameException;
import io.github.kueue4j.core.forecast.Forecast;
import io.github.kueue4j.core.forecast.QuotaForecast;
import io.github.kueue4j.core.yaml.InvalidConfigurationException;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.KubernetesApi;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
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

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "its namespace (default: that of the kubeconfig's context)")
  private @Nullable String namespace;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "text, json or yaml (default: text)")
  private ExplainCommand.Format format = ExplainCommand.Format.TEXT;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "the core's configuration, for its kinds and gates (default: what the chart has installed)")
  private @Nullable Path config;

  @Mixin private KueueCluster cluster = new KueueCluster();

  @Override
  public Integer call() throws InterruptedException {
    return cluster.use(
        "when needs get and list of what the scheduler decides by",
        (connection, out) -> {
          ForecastText text = text(connection, TimeSource.wallClock().instant());
          out.print(
              switch (format) {
                case TEXT -> text.text();
                case JSON -> ExplanationText.json(text.tree());
                case YAML -> ExplanationText.yaml(text.tree());
              });
          return 0;
        });
  }

  private ForecastText text(ClusterConnection connection, Instant now) {
    KubernetesApi api = connection.api();
    try {
      Optional<Configuration> given =
          config == null
              ? Optional.empty()
              : Optional.of(Configuration.load(config, Launch.plain().ignoringUnsupported(true)));
      ExplainInput input =
          given
              .map(known -> new ExplainInputReader(api, known))
              .orElseGet(() -> new ExplainInputReader(api))
              .read(namespace == null ? connection.namespace() : namespace, name);
      String why = Explain.why(input, now).summary();
      Workload workload = input.workload();
      if (workload == null) {
        return new ForecastText(name, "has no Workload", Optional.empty(), why);
      }
      String key = workload.key().toString();
      return state(workload)
          .map(words -> new ForecastText(key, words, Optional.empty(), why))
          .orElseGet(() -> ForecastText.of(key, forecast(api, given, workload, now), why));
    } catch (InvalidConfigurationException | UnknownNameException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }

  /** What it is if it doesn't wait for quota. */
  private static Optional<String> state(Workload workload) {
    WorkloadConditions conditions = workload.conditions();
    if (conditions.finished()) {
      return Optional.of("has finished");
    }
    if (conditions.holdsQuota()) {
      return Optional.of(conditions.evicted() ? "is being evicted" : "has quota");
    }
    return Optional.empty();
  }

  private static QuotaForecast forecast(
      KubernetesApi api, Optional<Configuration> given, Workload workload, Instant now) {
    DryRunInputReader reader =
        given
            .map(known -> new DryRunInputReader(api, known))
            .orElseGet(() -> new DryRunInputReader(api));
    try {
      return Forecast.of(reader.read(workload.key().namespace()), workload.key(), now);
    } catch (IllegalArgumentException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }
}
