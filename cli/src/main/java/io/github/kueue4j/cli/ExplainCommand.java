// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.Launch;
import io.github.kueue4j.core.explain.Explain;
import io.github.kueue4j.core.explain.ExplainInputReader;
import io.github.kueue4j.core.explain.Explanation;
import io.github.kueue4j.core.explain.UnknownNameException;
import io.github.kueue4j.core.yaml.InvalidConfigurationException;
import io.github.kueue4j.runtime.ClusterConnection;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kueue4j explain NAME}: why a Workload isn't running. */
@Command(
    name = "explain",
    description =
        "Says why a Workload or Job isn't running, who has to do what, and when it goes on.")
final class ExplainCommand implements Callable<Integer> {
  /** How the answer is printed. */
  enum Format {
    TEXT,
    JSON,
    YAML;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Parameters(
      paramLabel = "NAME",
      description =
          "a Workload, or else a Job or JobSet; workload/NAME, job/NAME or jobset/NAME where there are"
              + " several; pod/NAME for what a pod belongs to; rayjob/NAME, deployment/NAME and so on for"
              + " what isn't managed")
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
  private Format format = Format.TEXT;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "the core's configuration, for its timeouts (default: what the chart has installed)")
  private @Nullable Path config;

  @Mixin private KueueCluster cluster = new KueueCluster();

  @Override
  public Integer call() throws InterruptedException {
    return cluster.use(
        "explain needs at least get and list of Workloads and Jobs in the namespace",
        (connection, out) -> {
          Instant now = TimeSource.wallClock().instant();
          out.print(text(explain(connection, now), now));
          return 0;
        });
  }

  private Explanation explain(ClusterConnection connection, Instant now) {
    try {
      ExplainInputReader reader =
          config == null
              ? new ExplainInputReader(connection.api())
              : new ExplainInputReader(
                  connection.api(),
                  Configuration.load(config, Launch.plain().ignoringUnsupported(true)));
      return Explain.why(
          reader.read(namespace == null ? connection.namespace() : namespace, name), now);
    } catch (InvalidConfigurationException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    } catch (UnknownNameException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }

  private String text(Explanation explanation, Instant now) {
    return switch (format) {
      case TEXT -> ExplanationText.text(explanation, now);
      case JSON -> ExplanationText.json(explanation, now);
      case YAML -> ExplanationText.yaml(explanation, now);
    };
  }
}
