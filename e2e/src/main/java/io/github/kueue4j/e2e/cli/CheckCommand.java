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
import io.github.kueue4j.e2e.assembly.CheckName;
import io.github.kueue4j.e2e.assembly.RunningCheck;
import io.github.kueue4j.runtime.ControllerHost;
import io.github.kueue4j.runtime.HttpPortException;
import io.github.kueue4j.runtime.LeaderElection;
import io.github.kueue4j.sdk.controller.GuardSettings;
import io.github.kueue4j.sdk.controller.InvalidGuardSettingException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./kueue4j check NAME}: one admission check controller against any cluster. */
@Command(
    name = "check",
    description = "Runs one admission check controller against a cluster until Ctrl-C.",
    mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "NAME",
      description = "budget, gpu or provisioning",
      converter = Converters.Check.class)
  private CheckName name = CheckName.BUDGET;

  @Mixin private TargetOption target = new TargetOption();

  @Option(
      names = "--http-port",
      paramLabel = "PORT",
      description = "serve /healthz, /readyz and /metrics on this port; default: don't")
  private int httpPort = -1;

  @Option(
      names = "--leader-elect",
      description = "of several replicas only the one that holds a Lease works")
  private boolean leaderElect;

  @Option(
      names = "--guards",
      paramLabel = "FILE",
      description =
          "limits: timeouts, concurrency, circuit breaker; variables KUEUE4J_GUARDS_* go before it")
  private @Nullable Path guards;

  @Override
  public Integer call() throws InterruptedException {
    Logging.verbose();
    GuardSettings limits = limits();
    target.mustServe(KueueTypes.WORKLOAD);
    try (Interruption interruption = Interruption.listen();
        TimeSource time = TimeSource.system();
        RunningCheck check =
            RunningCheck.start(
                name, target.target(), time, host -> host(host, interruption), limits::on)) {
      System.out.println(
          "check " + name.word() + " is running on " + check.server() + "; Ctrl-C ends it");
      return CoreCommand.end(interruption.await());
    } catch (HttpPortException e) {
      throw new UserError(e.getMessage() + " (--http-port)", e);
    } catch (InvalidGuardSettingException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
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

  private ControllerHost.Builder host(ControllerHost.Builder host, Interruption interruption) {
    host.onLeadershipLost(() -> interruption.ask("lost the lease: another replica leads"));
    if (httpPort >= 0) {
      host.httpPort(httpPort);
    }
    return leaderElect
        ? host.leaderElection(
            LeaderElection.named(target.namespace(), "kueue4j-check-" + name.word()))
        : host;
  }
}
