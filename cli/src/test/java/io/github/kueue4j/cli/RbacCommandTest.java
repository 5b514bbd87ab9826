// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.cli.project.CheckProject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The roles that {@code kueue4j rbac} prints. */
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
            "--status=maintenancewindows.ops.example.com",
            "--leader-elect");

    assertThat(yaml)
        .contains("kind: ClusterRole\n", "kind: RoleBinding\n", "resourceNames: [license-check]")
        .containsPattern(
            "apiGroups: \\[\"\"]\n    resources: \\[nodes]\n    verbs: \\[list, watch]")
        .containsPattern("resources: \\[accounts]\n    verbs: \\[patch]")
        .containsPattern("resources: \\[maintenancewindows/status]\n    verbs: \\[patch]");
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      server.apply("{apiVersion: v1, kind: Namespace, metadata: {name: team-a}}");
      server.apply(yaml);
    }
  }

  @Test
  void aCheckThatNeedsNothingElseGetsNothingElse() {
    assertThat(printed("--controller-name=example.com/license"))
        .contains("name: license-check\n", "name: default-license-check-status-guard\n")
        .doesNotContain("leases", "kind: Role\n", "resources: [configmaps]");
    assertThat(printed("--controller-name=example.com/license", "--no-guard"))
        .contains("name: license-check\n")
        .doesNotContain("Policy");
  }

  @Test
  void theRightsOfANewProjectAreThoseOfTheCommandThatItNames(@TempDir Path folder)
      throws IOException {
    new CheckProject("license", "com.example.license", "example.com/license", "team-a")
        .write(folder);

    String[] rights = Files.readString(folder.resolve("deploy/rbac.yaml")).split("\n", 2);
    String command = rights[0].replaceFirst("# Printed by ./kueue4j rbac ", "");
    assertThat(printed(command.split(" "))).isEqualTo(rights[1]);
    assertThat(folder.resolve("README.md"))
        .content()
        .contains("./kueue4j rbac " + command + " >" + folder.resolve("deploy/rbac.yaml"));
    assertThat(printed(command.replaceFirst(" --name license-check", "").split(" ")))
        .as("the usual names")
        .isEqualTo(rights[1]);
  }

  @Test
  void aLeaseMayHaveAnotherNameThanTheAccount() {
    assertThat(printed("--controller-name=example.com/license", "--lease=mine"))
        .contains("name: license-check\n", "resourceNames: [mine]");
  }

  @Test
  void aLeaseMayLieInAnotherNamespace() {
    assertThat(printed("--controller-name=example.com/license", "--lease=locks/mine"))
        .containsPattern(
            "(?s)kind: Role\nmetadata:\n  name: license-check\n  namespace: locks\nrules:\n"
                + "(?:(?!---).)*resourceNames: \\[mine]")
        .containsPattern(
            "kind: RoleBinding\nmetadata:\n  name: license-check\n  namespace: locks\n")
        .contains("    name: license-check\n    namespace: default\n");
  }

  @Test
  void aNameThatEndsInCheckGetsNoSecondOne() {
    assertThat(printed("--controller-name=example.com/license-check"))
        .contains("name: license-check\n")
        .doesNotContain("check-check");
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
    StringWriter out = new StringWriter();
    CommandLine line = new CommandLine(new RbacCommand()).setOut(new PrintWriter(out));
    assertThat(line.execute(arguments)).isZero();
    return out.toString();
  }
}
