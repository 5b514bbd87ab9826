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
package io.github.kueue4j.e2e.rights;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.e2e.assembly.CheckName;
import io.github.kueue4j.e2e.assembly.RunningCheck;
import io.github.kueue4j.e2e.assembly.RunningCore;
import io.github.kueue4j.e2e.assembly.Target;
import io.github.kueue4j.runtime.LeaderElection;
import io.github.kueue4j.testkit.access.User;
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
              leaderElection: {leaderElect: true}
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

  /** Who its pods are. */
  User user() {
    return User.serviceAccount(NAMESPACE, serviceAccount);
  }

  /** Starts it with leader election, as its chart does. */
  abstract AutoCloseable start(Target cluster, TimeSource time) throws InterruptedException;

  private static AutoCloseable check(CheckName name, Target cluster, TimeSource time)
      throws InterruptedException {
    return RunningCheck.start(
        name,
        cluster,
        time,
        host ->
            host.gracePeriod(Duration.ofSeconds(2))
                .leaderElection(LeaderElection.named(NAMESPACE, "kueue4j-check-" + name.word())),
        UnaryOperator.identity());
  }
}
