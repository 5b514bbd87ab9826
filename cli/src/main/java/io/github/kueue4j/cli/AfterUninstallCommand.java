// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.install.Leftovers;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.sdk.program.ClusterOptions;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kueue4j after-uninstall}: what the hooks of the charts run once a release is deleted. */
@Command(
    name = "after-uninstall",
    description =
        "Removes what the programs of a release leave behind when it is uninstalled, as the charts"
            + " do. It can be ended and run again.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      "0:nothing is left",
      "1:something is left; the output names it, and why",
      ExitStatus.USER_ERROR
    })
final class AfterUninstallCommand implements Callable<Integer> {
  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "of the release (default: that of the pod or of the kubeconfig's context)")
  private @Nullable String namespace;

  @Option(
      names = "--lease",
      paramLabel = "NAME",
      description =
          "a Lease of the release, which is deleted once it was released or has expired; repeatable")
  private List<String> leases = new ArrayList<>();

  @Option(
      names = "--webhook-service",
      paramLabel = "NAME",
      description =
          "the Service of the core's webhooks, which is gone: definitions that name it serve only"
              + " what is stored, and need no conversion")
  private @Nullable String webhookService;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = Converters.PositiveDuration.class,
      description = "how long that may take (default: 2m)")
  private Duration timeout = Duration.ofMinutes(2);

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    Logging.quiet();
    try (ClusterConnection connection = cluster.connect("after-uninstall");
        Interruption interruption = Interruption.listen()) {
      List<String> left =
          new Leftovers(
                  connection.api(),
                  namespace == null ? connection.namespace() : namespace,
                  leases,
                  webhookService,
                  this::print,
                  TimeSource.wallClock(),
                  interruption::await)
              .remove(timeout);
      left.forEach(problem -> print("left: " + problem));
      return left.isEmpty() ? 0 : 1;
    } catch (KubernetesApiException.Forbidden e) {
      throw new UserError(
          e.getMessage() + "; the hook's role in the chart has the rights that this needs", e);
    } catch (KubernetesApiException e) {
      throw new UserError(e.getMessage() + "; run this again when that is mended", e);
    }
  }

  private void print(String line) {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    out.println(line);
    out.flush();
  }
}
