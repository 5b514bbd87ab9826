// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.observe.restore.WorkloadBackup;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.sdk.program.ClusterOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kueue4j backup FILE}: all Workloads with their statuses, for {@code restore}. */
@Command(
    name = "backup",
    description =
        "Saves all Workloads with their statuses, which tools for backups leave out. It reads only,"
            + " and may run beside the core.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR})
final class BackupCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "FILE",
      description = "replaced when everything has been read; readable for its owner only")
  private Path file = Path.of("");

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    Logging.quiet();
    try (ClusterConnection connection = cluster.connect("kueue4j")) {
      WorkloadBackup backup = WorkloadBackup.of(connection.api());
      write(backup);
      PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
      out.println(backup.workloads().size() + " Workloads saved in " + file);
      out.flush();
      return 0;
    } catch (KubernetesApiException e) {
      throw new UserError(e.getMessage() + "; " + file + " is as it was", e);
    }
  }

  /** Never leaves half a backup under the name of a whole one. */
  private void write(WorkloadBackup backup) {
    Path folder = file.toAbsolutePath().getParent();
    try {
      Path whole = Files.createTempFile(folder, ".backup", null);
      try {
        try (Writer out = Files.newBufferedWriter(whole)) {
          backup.write(out);
        }
        Files.move(whole, file, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(whole);
      }
    } catch (IOException e) {
      throw new UserError(
          file + " can't be written: " + e + "; name a file in a folder that can be written to", e);
    }
  }
}
