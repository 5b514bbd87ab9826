// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.e2e.cluster.Cluster;
import io.github.kueue4j.testkit.client.JsonApi;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Every definition that is shipped is one that an API server takes, the cost of its rules too. */
class DefinitionsScenarioTest {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  @ParameterizedTest
  @EnumSource(names = {"EMBEDDED", "BINARIES"})
  void everyDefinitionIsTaken(ScenarioCluster kind) {
    List<String> shipped = new ArrayList<>(Crds.kueue());
    shipped.addAll(Crds.external());
    for (CheckName check : CheckName.values()) {
      shipped.addAll(check.crds());
    }
    assertThat(shipped).hasSizeGreaterThan(14);
    SoftAssertions all = new SoftAssertions();
    try (Cluster cluster = kind.start(Clock.systemUTC());
        JsonApi api = JsonApi.of(cluster.kubeconfig())) {
      for (String yaml : shipped) {
        all.assertThatCode(() -> api.create(DEFINITIONS + "?dryRun=All", json(yaml)))
            .doesNotThrowAnyException();
      }
    }
    all.assertAll();
  }

  private static JsonNode json(String yaml) {
    return new ObjectMapper()
        .valueToTree(new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml));
  }
}
