// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.objects.Watch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Controllers that are refused before they start. */
class RefusedControllersTest extends WindowFixture {

  @Test
  void whatCannotWorkIsRefusedBeforeTheStart() {
    ClusterConnection cluster = kueue.connect("wrong");
    open.add(cluster);
    CheckController.Builder builder = CheckController.builder(CONTROLLER, cluster);

    assertThatThrownBy(() -> builder.check(Parameters.from(CoreTypes.CONFIG_MAP), e -> null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the parameters of the controller example.com/window are configmaps, which live in"
                + " namespaces: say in which with Parameters.from(...).inNamespace(\"team-a\")");
    assertThatThrownBy(() -> Parameters.none().allowingUnknownKeys())
        .hasMessageContaining("reads no keys");
    assertThatThrownBy(() -> Parameters.configMap(" ", Window::read))
        .hasMessageContaining("its name is empty");
    assertThatThrownBy(() -> Watch.of(CoreTypes.NODE).inNamespace("team-a"))
        .hasMessageContaining("they live in none");
    assertThatThrownBy(() -> Parameters.of(WINDOWS).inNamespace("team-a"))
        .hasMessageContaining("a MaintenanceWindow lives in no namespace");
    builder.check(evaluation -> Verdict.ready("fine"));
    assertThatThrownBy(() -> builder.check(evaluation -> Verdict.ready("another")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the controller example.com/window has a check already");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "license", "example.com/", "/license", "Example.com/license", "a/b/c"})
  void aControllerNeedsAQualifiedName(String name) {
    ClusterConnection cluster = kueue.connect("named");
    open.add(cluster);

    assertThatThrownBy(() -> CheckController.builder(name, cluster))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("'" + name + "' can't be the name of a check controller")
        .hasMessageContaining("such as example.com/license");
  }
}
