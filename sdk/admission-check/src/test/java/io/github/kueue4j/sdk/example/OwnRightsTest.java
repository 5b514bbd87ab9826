// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.example;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.sdk.program.CheckStarter;
import io.github.kueue4j.sdk.rbac.MissingRightsException;
import io.github.kueue4j.sdk.rbac.Permissions;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A check under the rights of its own account. */
@KueueTest(secure = true)
class OwnRightsTest {
  private static final User ACCOUNT = User.serviceAccount("default", "license-check");

  private static void run(KueueCluster cluster) {
    cluster.admissionCheck("license", "example.com/license");
    cluster.run(
        CheckStarter.of(LicenseCheck::controller).withKubeconfig(cluster.kubeconfig(ACCOUNT)));
  }

  @Test
  void theRightsThatAreGrantedSuffice(KueueCluster cluster) {
    cluster.apply(Permissions.of("license-check", "default").forChecks(List.of("license")).yaml());

    run(cluster);

    cluster.workload("job").reserve().awaitState("license", CheckState.READY);
  }

  @Test
  void withoutRightsItDoesNotStart(KueueCluster cluster) {
    assertThatThrownBy(() -> run(cluster))
        .hasRootCauseInstanceOf(MissingRightsException.class)
        .hasStackTraceContaining("-n default --name license-check");
  }
}
