// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.Workload;
import io.github.kueue4j.observe.explain.ExplainInput;
import io.github.kueue4j.observe.explain.ExplainInputReader;
import io.github.kueue4j.observe.explain.UnknownNameException;
import io.github.kueue4j.runtime.client.ClusterConnection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The Workload that a command is about, by its own name or that of its Job. */
final class WorkloadArgument {
  @Parameters(
      paramLabel = "NAME",
      description =
          "a Workload, or else a Job or JobSet; workload/NAME, job/NAME or jobset/NAME where there are"
              + " several")
  private String name = "";

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "its namespace (default: that of the kubeconfig's context)")
  private @Nullable String namespace;

  /**
   * Reads it, with what decides when it runs.
   *
   * @throws UserError if there is none, with similar names
   */
  ExplainInput read(ClusterConnection connection) {
    try {
      return new ExplainInputReader(connection.api())
          .read(Optional.ofNullable(namespace).orElseGet(connection::namespace), name);
    } catch (UnknownNameException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Reads it alone.
   *
   * @throws UserError if there is none, or its Job has none
   */
  Workload find(ClusterConnection connection) {
    return workload(read(connection));
  }

  /**
   * The Workload of a document; one that was read has it.
   *
   * @throws UserError if its Job has none
   */
  Workload workload(ExplainInput around) {
    Workload workload = around.workload();
    if (workload == null) {
      throw new UserError("'" + name + "' has no Workload; 'explain " + name + "' says why");
    }
    return workload;
  }
}
