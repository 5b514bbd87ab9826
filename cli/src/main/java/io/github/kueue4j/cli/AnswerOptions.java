// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.Launch;
import io.github.kueue4j.jobs.yaml.InvalidConfigurationException;
import io.github.kueue4j.observe.dryrun.DryRunInputReader;
import io.github.kueue4j.observe.explain.ExplainInputReader;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options of commands that answer what a core does with a Job, or would do: where the Job is,
 * by which configuration, and how the answer is printed. A mixin of picocli.
 */
final class AnswerOptions {
  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description =
          "the namespace, where it isn't named otherwise (default: that of the kubeconfig's context)")
  private @Nullable String namespace;

  @Mixin private FormatOption format = new FormatOption();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "the core's configuration, for its kinds, gates and timeouts (default: what the chart has"
              + " installed)")
  private @Nullable Path config;

  FormatOption format() {
    return format;
  }

  String namespace(ClusterConnection connection) {
    return namespace == null ? connection.namespace() : namespace;
  }

  /**
   * A reader of what an explanation depends on.
   *
   * @throws UserError if the configuration can't be read
   */
  ExplainInputReader explainReader(KubernetesApi api) {
    return configuration(config)
        .map(known -> new ExplainInputReader(api, known))
        .orElseGet(() -> new ExplainInputReader(api));
  }

  /**
   * A reader of what the scheduler decides by.
   *
   * @throws UserError if the configuration can't be read
   */
  DryRunInputReader dryRunReader(KubernetesApi api) {
    return configuration(config)
        .map(known -> new DryRunInputReader(api, known))
        .orElseGet(() -> new DryRunInputReader(api));
  }

  /**
   * The core's configuration of this file; empty without a file.
   *
   * @throws UserError if it can't be read
   */
  static Optional<Configuration> configuration(@Nullable Path file) {
    try {
      return file == null
          ? Optional.empty()
          : Optional.of(Configuration.load(file, Launch.plain().ignoringUnsupported(true)));
    } catch (InvalidConfigurationException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }
}
