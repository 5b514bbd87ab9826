// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.Integrations;
import io.github.kueue4j.observe.restore.Restoration;
import io.github.kueue4j.observe.restore.RestoreReport;
import io.github.kueue4j.observe.restore.RestoredWorkload;
import io.github.kueue4j.observe.restore.RestoredWorkload.RestoreOutcome;
import io.github.kueue4j.observe.restore.WorkloadBackup;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.sdk.program.ClusterOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kueue4j restore FILE}: what {@code backup} saved is put back before the core starts. */
@Command(
    name = "restore",
    description =
        "Puts Workloads and their statuses back before the core starts, so that Jobs which run keep"
            + " running on their quota. It can be ended and run again.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      "0:everything is restored",
      "1:some could not be restored, or Jobs run that the core will stop; the output names them",
      ExitStatus.USER_ERROR
    })
final class RestoreCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "what 'backup' has saved")
  private Path file = Path.of("");

  @Option(
      names = "--dry-run",
      description = "only say what would be done; works while a core runs, too")
  private boolean dryRun;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "the core's configuration, if it declares kinds of Jobs (kueue4j.jobKinds)")
  private @Nullable Path config;

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    Logging.quiet();
    WorkloadBackup backup = backup();
    Integrations integrations = integrations();
    try (ClusterConnection connection = cluster.connect("kueue4j");
        TimeSource time = TimeSource.system()) {
      Restoration restoration = new Restoration(connection.api(), integrations);
      RestoreReport report =
          dryRun ? restoration.preview(backup) : restoration.restore(backup, time.instant());
      print(report);
      return report.complete() ? 0 : 1;
    } catch (Restoration.CoreRunsException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    } catch (KubernetesApiException e) {
      throw new UserError(e.getMessage() + "; run this again when that is mended", e);
    }
  }

  private Integrations integrations() {
    return AnswerOptions.configuration(config)
        .map(Configuration::integrations)
        .orElseGet(Integrations::ofAll);
  }

  private WorkloadBackup backup() {
    try (Reader text = Files.newBufferedReader(file)) {
      return WorkloadBackup.read(text);
    } catch (WorkloadBackup.UnreadableBackupException e) {
      throw new UserError(file + " is no backup: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new UserError(file + " can't be read: " + e + "; name a file of 'kueue4j backup'", e);
    }
  }

  private void print(RestoreReport report) {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    out.println("Workloads of the backup" + (dryRun ? ", nothing was changed" : "") + ":");
    for (RestoreOutcome outcome : RestoreOutcome.values()) {
      List<RestoredWorkload> some = report.with(outcome);
      out.println("  " + some.size() + " " + words(outcome));
      if (outcome != RestoreOutcome.RUNS_ON && outcome != RestoreOutcome.WAITS) {
        some.forEach(
            each ->
                out.println(
                    "    " + each.workload() + (each.why().isEmpty() ? "" : ": " + each.why())));
      }
    }
    if (!report.unadmitted().isEmpty()) {
      out.println(
          report.unadmitted().size()
              + " run without an admission; the core will stop and queue them, and delete pods:");
      report.unadmitted().forEach(job -> out.println("  " + job));
    }
    out.flush();
  }

  private static String words(RestoreOutcome outcome) {
    return switch (outcome) {
      case RUNS_ON -> "run on";
      case WAITS -> "wait as before, or have finished";
      case WAITS_AGAIN -> "wait again, since their Jobs don't run";
      case NOT_NEEDED -> "need nothing";
      case NOT_RESTORED -> "not restored";
    };
  }
}
