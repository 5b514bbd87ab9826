/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.e2e.cli;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.InvalidConfigurationException;
import io.github.kueue4j.core.explain.Explain;
import io.github.kueue4j.core.explain.Explanation;
import io.github.kueue4j.core.explain.SurroundingsReader;
import io.github.kueue4j.core.explain.UnknownNameException;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.KubernetesApiException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./kueue4j explain NAME}: why a Workload isn't running. */
@Command(
    name = "explain",
    description = "Says why a Workload or Job isn't running, and who has to do what.",
    mixinStandardHelpOptions = true)
final class ExplainCommand implements Callable<Integer> {
  /** How the answer is printed. */
  enum Format {
    TEXT,
    JSON,
    YAML
  }

  @Parameters(
      paramLabel = "NAME",
      description =
          "a Workload, or else a Job or JobSet; workload/NAME, job/NAME or jobset/NAME where there are"
              + " several")
  private String name = "";

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "its namespace; default: that of the kubeconfig's context")
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

  @Mixin private ClusterOption cluster = new ClusterOption();

  @Override
  public Integer call() {
    Logging.quiet();
    try (ClusterConnection connection = cluster.connect();
        TimeSource time = TimeSource.system()) {
      if (!connection.api().serves(KueueTypes.WORKLOAD)) {
        throw new UserError(
            "the cluster at "
                + connection.server()
                + " does not serve "
                + KueueTypes.WORKLOAD.apiVersion()
                + "; choose another with --kubeconfig or --server");
      }
      Instant now = time.instant();
      System.out.print(text(explain(connection, now), now));
      System.out.flush();
      return 0;
    }
  }

  private Explanation explain(ClusterConnection connection, Instant now) {
    try {
      SurroundingsReader reader =
          config == null
              ? new SurroundingsReader(connection.api())
              : new SurroundingsReader(connection.api(), Configuration.load(config));
      return Explain.why(
          reader.read(namespace == null ? connection.namespace() : namespace, name), now);
    } catch (InvalidConfigurationException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    } catch (UnknownNameException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    } catch (KubernetesApiException.Forbidden e) {
      throw new UserError(
          e.getMessage() + "; explain needs to read Workloads, queues, flavors and checks", e);
    } catch (KubernetesApiException.Unreachable e) {
      throw new UserError(e.getMessage() + "; is the cluster still up?", e);
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
