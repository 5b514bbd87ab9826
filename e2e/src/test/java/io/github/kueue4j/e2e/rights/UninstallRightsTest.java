// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.rights;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.access.RoleBasedAccess;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.e2e.charts.Chart;
import io.github.kueue4j.e2e.charts.PlayedHook;
import io.github.kueue4j.testkit.client.JsonApi;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The hooks that remove what a release leaves behind, each as the account that its chart gives it,
 * on a server that enforces the roles: what is granted is used.
 */
@Tag("landing")
class UninstallRightsTest {
  private static final String NAMESPACE = "kueue-system";
  private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/";

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "kueue-core, kueue, kueue-after-uninstall, c1f6bfd2.kueue.x-k8s.io",
    "admission-checks, checks, checks-checks-after-uninstall, kueue4j-check-budget"
  })
  void theHookUsesAllOfItsRightsAndNeedsNoOthers(
      String chart, String release, String hook, String lease) throws Exception {
    Requests requests = new Requests();
    User account = User.serviceAccount(NAMESPACE, hook);
    List<JsonNode> roles = new ArrayList<>();
    try (EmbeddedApiServer server =
        EmbeddedApiServer.builder()
            .objects(chart.equals("kueue-core") ? List.of() : Crds.kueue())
            .secure()
            .onRequest(requests)
            .start()) {
      Path administrator = server.kubeconfig(folder.resolve("administrator"));
      server.apply("{apiVersion: v1, kind: Namespace, metadata: {name: " + NAMESPACE + "}}");
      Chart.named(chart).install(release, NAMESPACE, administrator);
      server.apply(
          """
          apiVersion: coordination.k8s.io/v1
          kind: Lease
          metadata: {name: %s, namespace: kueue-system}
          spec: {leaseDurationSeconds: 1, holderIdentity: old-pod}
          """
              .formatted(lease));

      String printed =
          new PlayedHook(
                  release,
                  new ObjectKey(NAMESPACE, hook),
                  administrator,
                  server.kubeconfig(folder.resolve("hook"), account))
              .uninstall(
                  unused -> {
                    try (JsonApi api = JsonApi.of(administrator)) {
                      for (String each :
                          List.of(
                              "namespaces/" + NAMESPACE + "/roles/",
                              "namespaces/" + NAMESPACE + "/rolebindings/",
                              "clusterroles/",
                              "clusterrolebindings/")) {
                        api.get(ROLES + each + hook).ifPresent(roles::add);
                      }
                    }
                  });

      assertThat(printed).contains("Lease kueue-system/" + lease + ": deleted");
    }
    Set<String> granted = new TreeSet<>();
    RoleBasedAccess.of(roles)
        .grants(account)
        .forEach(
            grant ->
                Permission.in(grant)
                    .forEach(each -> granted.add(named(each, grant.rule().names()))));
    Set<String> used = new TreeSet<>();
    requests
        .of("after-uninstall")
        .forEach(
            each -> {
              if (each.resourceRequest()) {
                used.add(Permission.of(each).toString());
              }
            });
    assertThat(granted).isNotEmpty().isEqualTo(used);
  }

  /** A rule without names would hold for all objects. */
  private static String named(Permission permission, Set<String> names) {
    assertThat(names).as(permission.toString()).isNotEmpty();
    return permission.toString();
  }
}
