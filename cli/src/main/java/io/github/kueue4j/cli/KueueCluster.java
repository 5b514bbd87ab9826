// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.sdk.program.ClusterOptions;
import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The common part of the commands that work on the objects of a cluster: its options, their output,
 * and a message of one line for what the user can correct. A mixin of picocli.
 */
@Command(
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR})
final class KueueCluster {
  @Mixin private ClusterOptions options = new ClusterOptions();

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  /** The work of a command on a cluster. */
  interface Work {
    /** Does it, prints to the command's output, and returns the exit status. */
    int on(ClusterConnection connection, PrintWriter out) throws InterruptedException;
  }

  /** Prints a line beside the output: what a user misses who may not read everything. */
  void note(String text) {
    PrintWriter err = Objects.requireNonNull(command).commandLine().getErr();
    err.println("kueue4j: " + text);
    err.flush();
  }

  /**
   * Runs the work on the cluster that the options name.
   *
   * @param needs the rights that the command needs, as the end of a message
   * @throws UserError if the cluster doesn't serve Workloads, refuses a request or doesn't answer
   */
  int use(String needs, Work work) throws InterruptedException {
    Logging.quiet();
    PrintWriter out = Objects.requireNonNull(command).commandLine().getOut();
    try (ClusterConnection connection = options.connect("kueue4j")) {
      if (!connection.api().serves(KueueTypes.WORKLOAD)) {
        throw new UserError(
            "the cluster at %s does not serve %s; choose another with --kubeconfig or --server"
                .formatted(connection.server(), KueueTypes.WORKLOAD.apiVersion()));
      }
      int status = work.on(connection, out);
      out.flush();
      return status;
    } catch (KubernetesApiException.Forbidden e) {
      throw new UserError(e.getMessage() + "; " + needs, e);
    } catch (KubernetesApiException.Unreachable e) {
      throw new UserError(e.getMessage() + "; is the cluster still up?", e);
    } catch (KubernetesApiException.Invalid e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    } catch (KubernetesApiException.NotFound e) {
      throw new UserError(
          e.getMessage() + "; the cluster does not serve such objects, or not in a namespace", e);
    } catch (KubernetesApiException e) {
      throw new UserError(e.getMessage() + "; the API server may be starting: try again", e);
    }
  }
}
