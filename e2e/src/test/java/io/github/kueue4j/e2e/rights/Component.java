// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.rights;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.cli.components.RunningCheck;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.runtime.lease.LeaderElection;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** What the charts deploy: each is one client of the API with one service account. */
enum Component {
  CORE("kueue-core", "kueue-controller-manager") {
    @Override
    AutoCloseable start(Target cluster, TimeSource time) throws InterruptedException {
      Configuration configuration =
          Configuration.parse(
              """
              apiVersion: config.kueue.x-k8s.io/v1beta2
              kind: Configuration
              leaderElection: {leaderElect: true, leaseDuration: 60s, renewDeadline: 40s, retryPeriod: 8s}
              health: {healthProbeBindAddress: "0"}
              metrics: {bindAddress: "127.0.0.1:0"}
              webhook: {port: 0, host: 127.0.0.1}
              fairSharing: {preemptionStrategies: [LessThanOrEqualToFinalShare]}
              """);
      return RunningCore.start(cluster, configuration, time);
    }
  },
  BUDGET("budget-check", "kueue-budget") {
    @Override
    AutoCloseable start(Target cluster, TimeSource time) throws InterruptedException {
      return check(CheckName.BUDGET, cluster, time);
    }
  },
  GPU("gpu-check", "kueue-gpu") {
    @Override
    AutoCloseable start(Target cluster, TimeSource time) throws InterruptedException {
      return check(CheckName.GPU, cluster, time);
    }
  },
  PROVISIONING("provisioning-check", "kueue-provisioning") {
    @Override
    AutoCloseable start(Target cluster, TimeSource time) throws InterruptedException {
      return check(CheckName.PROVISIONING, cluster, time);
    }
  },
  HTTP("http-check", "kueue-http") {
    @Override
    AutoCloseable start(Target cluster, TimeSource time) throws InterruptedException {
      return check(CheckName.HTTP, cluster, time);
    }
  },
  POLICY("policy-check", "kueue-policy") {
    @Override
    AutoCloseable start(Target cluster, TimeSource time) throws InterruptedException {
      return check(CheckName.POLICY, cluster, time);
    }
  },
  APPROVAL("approval-check", "kueue-approval") {
    @Override
    AutoCloseable start(Target cluster, TimeSource time) throws InterruptedException {
      return check(CheckName.APPROVAL, cluster, time);
    }
  },
  DEPENDENCY("dependency-check", "kueue-dependency") {
    @Override
    AutoCloseable start(Target cluster, TimeSource time) throws InterruptedException {
      return check(CheckName.DEPENDENCY, cluster, time);
    }
  },
  PROMETHEUS("prometheus-check", "kueue-prometheus") {
    @Override
    AutoCloseable start(Target cluster, TimeSource time) throws InterruptedException {
      return check(CheckName.PROMETHEUS, cluster, time);
    }
  };

  /** Where the charts' release is installed. */
  static final String NAMESPACE = "kueue-system";

  private final String client;
  private final String serviceAccount;

  Component(String client, String serviceAccount) {
    this.client = client;
    this.serviceAccount = serviceAccount;
  }

  /** The name in its requests' user agent. */
  String client() {
    return client;
  }

  /** The service account of its pods. */
  User user() {
    return User.serviceAccount(NAMESPACE, serviceAccount);
  }

  /**
   * Starts it with leader election, as its chart does; but the lease is renewed less often, since
   * tests let time pass while nothing is written.
   */
  abstract AutoCloseable start(Target cluster, TimeSource time) throws InterruptedException;

  private static AutoCloseable check(CheckName name, Target cluster, TimeSource time)
      throws InterruptedException {
    return RunningCheck.start(
        name,
        cluster,
        time,
        host ->
            host.gracePeriod(Duration.ofSeconds(2))
                .leaderElection(
                    LeaderElection.named(NAMESPACE, "kueue4j-check-" + name.word())
                        .withTimes(
                            Duration.ofSeconds(60), Duration.ofSeconds(40), Duration.ofSeconds(8))),
        UnaryOperator.identity());
  }
}
