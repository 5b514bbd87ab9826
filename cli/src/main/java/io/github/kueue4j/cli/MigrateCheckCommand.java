// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.migrate.ClusterFacts;
import io.github.kueue4j.cli.migrate.ClusterFacts.ConfigurationText;
import io.github.kueue4j.cli.migrate.Direction;
import io.github.kueue4j.cli.migrate.FactsReader;
import io.github.kueue4j.cli.migrate.Finding;
import io.github.kueue4j.cli.migrate.Preflight;
import io.github.kueue4j.cli.migrate.PreflightReport;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.sdk.program.ClusterOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kueue4j migrate check}: whether a cluster can move; changes nothing. */
@Command(
    name = "check",
    description =
        "Says what stands in the way of a move to this core, what there is to do by hand, and what"
            + " will be different. It reads only.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      "0:nothing stands in the way",
      "1:something stands in the way, or couldn't be read",
      ExitStatus.USER_ERROR
    })
final class MigrateCheckCommand implements Callable<Integer> {
  /** How the answer is printed. */
  enum ReportFormat {
    TEXT,
    JSON
  }

  @Option(names = "--back", description = "of a move from this core to another implementation")
  private boolean back;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "where the core is installed (default: ${DEFAULT-VALUE})")
  private String namespace = "kueue-system";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "the Configuration that this core shall have (default: the installed one)")
  private @Nullable Path config;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "text or json (default: text)")
  private ReportFormat format = ReportFormat.TEXT;

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    Logging.quiet();
    Direction direction = back ? Direction.OUT : Direction.IN;
    try (ClusterConnection connection = cluster.connect("kueue4j");
        TimeSource time = TimeSource.system()) {
      ClusterFacts facts = FactsReader.read(connection, namespace, configuration(), time.instant());
      List<Finding> findings = Preflight.examine(facts, direction);
      PreflightReport report = new PreflightReport(facts, direction, findings);
      PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
      out.print(format == ReportFormat.JSON ? report.json() : report.text());
      out.flush();
      return Preflight.passes(findings) ? 0 : 1;
    } catch (KubernetesApiException.Unreachable e) {
      throw new UserError(e.getMessage() + "; is the cluster still up?", e);
    } catch (KubernetesApiException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }

  private Optional<ConfigurationText> configuration() {
    if (config == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(new ConfigurationText(config.toString(), Files.readString(config)));
    } catch (IOException e) {
      throw new UserError(config + " can't be read; check --config", e);
    }
  }
}
