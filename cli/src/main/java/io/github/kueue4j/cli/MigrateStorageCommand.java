// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.ApiObject;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.cli.migrate.StorageMigration;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.sdk.program.ClusterOptions;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code kueue4j migrate storage}: all objects stored as v1beta2. */
@Command(
    name = "storage",
    description =
        "Has the API server store all objects of kueue.x-k8s.io as v1beta2, as a core that serves"
            + " no conversion needs them. It can be ended and started again.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR})
final class MigrateStorageCommand implements Callable<Integer> {
  private static final int PROGRESS_EVERY = 500;

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    Logging.quiet();
    CommandLine line = Objects.requireNonNull(spec).commandLine();
    PrintWriter out = line.getOut();
    try (ClusterConnection connection = cluster.connect("kueue4j")) {
      StorageMigration migration = new StorageMigration(connection.api());
      for (ResourceType<? extends ApiObject> type : KueueTypes.ALL) {
        out.println(type.plural() + ": " + migrated(migration, type, line.getErr()));
      }
      out.flush();
      return 0;
    } catch (StorageMigration.StorageVersionException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    } catch (KubernetesApiException e) {
      throw new UserError(
          e.getMessage() + "; the core that converts the objects has to run meanwhile", e);
    }
  }

  private static String migrated(
      StorageMigration migration, ResourceType<? extends ApiObject> type, PrintWriter err) {
    Optional<Integer> count =
        migration.migrate(
            type,
            (done, all) -> {
              if (done % PROGRESS_EVERY == 0) {
                err.println(type.plural() + ": " + done + " of " + all);
              }
            });
    return count
        .map(objects -> objects + " stored as " + KueueTypes.VERSION)
        .orElse("nothing to do");
  }
}
