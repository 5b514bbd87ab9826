// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.cli.components.RunningCheck;
import io.github.kueue4j.runtime.ControllerHost;
import io.github.kueue4j.runtime.HttpPortException;
import io.github.kueue4j.runtime.LeaderElection;
import io.github.kueue4j.sdk.controller.Ending;
import io.github.kueue4j.sdk.controller.GuardSettings;
import io.github.kueue4j.sdk.controller.InvalidGuardSettingException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kueue4j check NAME}: one admission check controller against any cluster. */
@Command(
    name = "check",
    description = "Runs one admission check controller against a cluster until Ctrl-C.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      ExitStatus.DONE,
      ExitStatus.ENDED_BY_ANOTHER_LEADER,
      ExitStatus.USER_ERROR,
      ExitStatus.FATAL_ERROR
    })
final class CheckCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "NAME",
      description = "which one: budget, gpu or provisioning",
      converter = Converters.Check.class)
  private CheckName name = CheckName.BUDGET;

  @Mixin private TargetOption target = new TargetOption();

  @Option(
      names = "--http-port",
      paramLabel = "PORT",
      description = "serve /healthz, /readyz and /metrics on this port (default: not served)")
  private int httpPort = -1;

  @Option(
      names = "--leader-elect",
      description = "of several replicas only the one that holds a Lease works")
  private boolean leaderElect;

  @Option(
      names = "--guards",
      paramLabel = "FILE",
      description =
          "limits: timeouts, concurrency, circuit breaker; variables KUEUE4J_GUARDS_* override it")
  private @Nullable Path guards;

  @Override
  public Integer call() throws InterruptedException {
    Logging.verbose();
    GuardSettings limits = limits();
    target.mustServe(KueueTypes.WORKLOAD);
    try (TimeSource time = TimeSource.system()) {
      Ending ending =
          RunningCheck.runUntilTerminated(
              name, target.target(), time, this::host, limits::on, this::started);
      return CoreCommand.end(
          ending == Ending.LEASE_LOST
              ? Optional.of("lost the lease: another replica leads")
              : Optional.empty());
    } catch (HttpPortException e) {
      throw new UserError(e.getMessage() + " (--http-port)", e);
    } catch (InvalidGuardSettingException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }

  private void started(URI server) {
    System.out.println("check " + name.word() + " is running on " + server + "; Ctrl-C ends it");
  }

  /** The file's, and what the environment says instead. */
  private GuardSettings limits() {
    try {
      GuardSettings environment = GuardSettings.environment(System.getenv());
      return guards == null ? environment : GuardSettings.file(guards).overriddenBy(environment);
    } catch (InvalidGuardSettingException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }

  private ControllerHost.Builder host(ControllerHost.Builder host) {
    if (httpPort >= 0) {
      host.httpPort(httpPort);
    }
    return leaderElect
        ? host.leaderElection(
            LeaderElection.named(target.namespace(), "kueue4j-check-" + name.word()))
        : host;
  }
}
