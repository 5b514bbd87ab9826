// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.apiserver.EmbeddedApiServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import picocli.CommandLine;

/** The roles that {@code kueue4j rbac} prints. */
@Isolated("swaps System.out")
class RbacCommandTest {

  @Test
  void theCommandOfTheGuidePrintsObjectsThatAServerAccepts() {
    String yaml =
        printed(
            "--controller-name=example.com/license",
            "--namespace=team-a",
            "--parameters=configmaps:team-a",
            "--watch=nodes",
            "--change=accounts.ops.example.com",
            "--status=windows.ops.example.com",
            "--leader-elect");

    assertThat(yaml)
        .contains("kind: ClusterRole\n", "kind: RoleBinding\n", "resourceNames: [license]")
        .containsPattern(
            "apiGroups: \\[\"\"]\n    resources: \\[nodes]\n    verbs: \\[list, watch]")
        .containsPattern("resources: \\[accounts]\n    verbs: \\[patch]")
        .containsPattern("resources: \\[windows/status]\n    verbs: \\[patch]");
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      server.apply("{apiVersion: v1, kind: Namespace, metadata: {name: team-a}}");
      server.apply(yaml);
    }
  }

  @Test
  void aCheckThatNeedsNothingElseGetsNothingElse() {
    assertThat(printed("--controller-name=example.com/license"))
        .contains("name: license\n", "name: default-license-status-guard\n")
        .doesNotContain("leases", "kind: Role\n", "resources: [configmaps]");
    assertThat(printed("--controller-name=example.com/license", "--no-guard"))
        .contains("name: license\n")
        .doesNotContain("Policy");
  }

  @Test
  void theRightsOfAReferenceCheckAreKnown() {
    assertThat(printed("--for=provisioning", "--namespace=kueue-system", "--leader-elect"))
        .contains(
            "name: provisioning-check\n",
            "resourceNames: [kueue4j-check-provisioning]",
            "resources: [provisioningrequests]\n    verbs: [get, create, delete]",
            "resources: [workloads/finalizers]\n    verbs: [update]",
            "name: kueue-system-provisioning-check-status-guard\n");
  }

  @Test
  void theHttpCheckReadsTheSecretsThatAreNamedOnly() {
    assertThat(printed("--for=http", "--namespace=kueue-system"))
        .containsPattern("resources: \\[httpchecks]\n    verbs: \\[list, watch]")
        .containsPattern("resources: \\[httpchecks/status]\n    verbs: \\[patch]")
        .doesNotContain("secrets");
    assertThat(printed("--for=http", "-n=kueue-system", "--secret=licenses", "--secret=tools-ca"))
        .containsPattern(
            "(?s)kind: Role\n.*?namespace: kueue-system\n.*?resources: \\[secrets]\n"
                + "    resourceNames: \\[licenses, tools-ca]\n    verbs: \\[get]")
        .doesNotContainPattern("(?s)kind: ClusterRole\n(?:(?!---).)*secrets");
  }

  @Test
  void whatCannotBeIsAUsersErrorWithItsRemedy() {
    Throwable[] thrown = new Throwable[1];
    int status =
        new CommandLine(new RbacCommand())
            .setExecutionExceptionHandler(
                (e, line, result) -> {
                  thrown[0] = e;
                  return 2;
                })
            .execute("--controller-name=example.com/license", "--watch=ConfigMap");

    assertThat(status).isEqualTo(2);
    assertThat(thrown[0])
        .isInstanceOf(UserError.class)
        .hasMessageContaining("'ConfigMap' can't be used; write the plural in lower case");
  }

  private static String printed(String... arguments) {
    PrintStream before = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      assertThat(new CommandLine(new RbacCommand()).execute(arguments)).isZero();
    } finally {
      System.setOut(before);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
