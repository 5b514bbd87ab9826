// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.rights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.access.Grant;
import io.github.kueue4j.apiserver.access.RoleBasedAccess;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.cli.components.RunningCheck;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.e2e.charts.Chart;
import io.github.kueue4j.sdk.rbac.MissingRightsException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * {@code ./kueue4j rbac --for CHECK} and the chart grant the same, so that neither is forgotten.
 */
class PrintedRightsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @ParameterizedTest
  @EnumSource
  void areThoseOfTheChart(CheckName check) {
    String account = "kueue-" + check.word();
    User user = User.serviceAccount(Component.NAMESPACE, account);
    String printed =
        check.permissions(account, Component.NAMESPACE).withLease(check.lease()).yaml();

    assertThat(grants(documents(printed), user)).isNotEmpty().isEqualTo(grants(chart(check), user));
  }

  /** The SDK, which words this, has a list of its own of these checks. */
  @ParameterizedTest
  @EnumSource
  void areNamedByACheckThatLacksThem(CheckName check, @TempDir Path folder) {
    Path kubeconfig = folder.resolve("kubeconfig");
    try (TimeSource time = TimeSource.system();
        EmbeddedApiServer server = EmbeddedApiServer.builder().secure().start()) {
      Stream.of(Crds.kueue(), Crds.external(), check.crds())
          .flatMap(List::stream)
          .forEach(server::apply);
      server.kubeconfig(kubeconfig, User.serviceAccount(Component.NAMESPACE, "poor"));

      assertThatThrownBy(() -> RunningCheck.start(check, Target.of(kubeconfig), time))
          .isInstanceOf(MissingRightsException.class)
          .hasMessageContaining("'./kueue4j rbac --for " + check.word() + " -n ");
    }
  }

  private static Set<String> grants(Stream<JsonNode> objects, User user) {
    Set<String> all = new TreeSet<>();
    for (Grant grant : RoleBasedAccess.of(objects.toList()).grants(user)) {
      for (Permission permission : Permission.in(grant)) {
        all.add(permission + " " + grant.rule().names() + " in '" + grant.namespace() + "'");
      }
    }
    return all;
  }

  private static Stream<JsonNode> chart(CheckName check) {
    return Chart.named("admission-checks")
        .render(values -> values.set("checks." + check.word() + ".enabled", true))
        .stream()
        .filter(each -> each.kind().contains("Role"))
        .map(each -> JSON.valueToTree(each.tree()));
  }

  private static Stream<JsonNode> documents(String yaml) {
    Iterable<Object> documents = new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(yaml);
    return StreamSupport.stream(documents.spliterator(), false)
        .map(document -> JSON.<JsonNode>valueToTree(document))
        .filter(
            document ->
                List.of("Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding")
                    .contains(document.path("kind").asText()));
  }
}
