// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.cli.Main;
import io.github.kueue4j.testdefaults.Checkout;
import io.github.kueue4j.testdefaults.Notices;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The checks of examples/without-sdk keep every rule, in whatever language they are written. */
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
@Tag("landing")
class WithoutSdkConformanceTest {
  private static final Path EXAMPLES = Checkout.root().resolve("examples/without-sdk");

  /** Plays a check that keeps watching: takes its Ready back as Retry. */
  private static final String TAKES_BACK =
      """
      url=$server/apis/kueue.x-k8s.io/v1beta2
      path=$(curl -sS --fail-with-body $url/workloads | jq -r '.items[].metadata
        | select(.name | startswith("revoked")) | "namespaces/\\(.namespace)/workloads/\\(.name)"')
      curl -sS --fail-with-body -o "$answer" -X PATCH $url/$path/status \
        -H 'Content-Type: application/json-patch+json' -d '[
          {"op": "replace", "path": "/status/admissionChecks/0/state", "value": "Retry"},
          {"op": "replace", "path": "/status/admissionChecks/0/message", "value": "Withdrawn"},
          {"op": "replace", "path": "/status/admissionChecks/0/lastTransitionTime",
           "value": "'$(date -u +%Y-%m-%dT%H:%M:%SZ)'"}]'
      """;

  @TempDir Path folder;

  @Test
  void python() throws IOException {
    requirePrograms("python3");

    assertConformant(
        List.of("--embedded"), "python3", EXAMPLES.resolve("python/approval.py").toString());
  }

  /** On a cluster elsewhere, to which the kit logs in with a token, and with a withdrawal. */
  @Test
  void bash() throws IOException {
    requirePrograms("bash", "curl", "jq");
    try (EmbeddedApiServer server =
        EmbeddedApiServer.builder().secure().objects(Crds.kueue()).start()) {
      Path kubeconfig = server.kubeconfig(folder.resolve("kubeconfig"), User.ADMINISTRATOR);
      String revoke =
          "server=" + server.uri() + "\nanswer=" + folder.resolve("answer") + "\n" + TAKES_BACK;

      JsonNode report =
          assertConformant(
              List.of("--kubeconfig", kubeconfig.toString(), "--revoke", revoke),
              "bash",
              EXAMPLES.resolve("bash/approval.sh").toString());

      assertThat(report.path("rules").path(17).path("evidence").asText())
          .contains("took it back after the withdrawal");
    }
  }

  /** Its compiler alone takes both cores for half a minute. */
  @Test
  @Tag("nightly")
  void golang() throws IOException, InterruptedException {
    requirePrograms("go");
    Path binary = folder.resolve("approval");
    ProcessBuilder builder =
        new ProcessBuilder("go", "build", "-o", binary.toString(), ".")
            .directory(EXAMPLES.resolve("go").toFile())
            .inheritIO();
    builder.environment().put("GOCACHE", folder.resolve("cache").toString());
    builder.environment().put("GOTOOLCHAIN", "local");
    Process build = builder.start();
    assertThat(build.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(build.exitValue()).isZero();

    assertConformant(List.of("--embedded"), binary.toString());
  }

  private static void requirePrograms(String... programs) {
    for (String program : programs) {
      boolean there =
          List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)).stream()
              .anyMatch(entry -> Files.isExecutable(Path.of(entry, program)));
      if (!there) {
        Notices.once("a check without the SDK not run: no " + program + " on the PATH");
      }
      assumeTrue(there, "no " + program + " on the PATH");
    }
  }

  private JsonNode assertConformant(List<String> where, String... controller) throws IOException {
    Path json = folder.resolve("report.json");
    List<String> arguments = new ArrayList<>(List.of("conformance"));
    arguments.addAll(where);
    arguments.addAll(List.of("--controller-name", "example.com/approval"));
    arguments.addAll(List.of("--quiet", "500ms", "--patience", "2m", "--json", json.toString()));
    arguments.add("--");
    arguments.addAll(List.of(controller));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();

    int status =
        Main.run(new PrintWriter(out), new PrintWriter(err), arguments.toArray(String[]::new));

    assertThat(status).as("%s%n%s", out, err).isZero();
    assertThat(out.toString()).contains("24 rules kept, 0 broken, 0 not tried");
    return new ObjectMapper().readTree(json.toFile());
  }
}
