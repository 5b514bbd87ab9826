// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.testdefaults.Checkout;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/guides/http-check.md, with its endpoint and the core. */
class HttpCheckPageTest {
  private static final Path ROOT = Checkout.root();
  private static final Pattern FILE =
      Pattern.compile("<!-- file: (\\S+) -->\n```yaml\n(.*?)```", Pattern.DOTALL);

  @Test
  void theSmallJobRunsAndTheLargeOneIsRefused() throws Exception {
    assumeTrue(isOnThePath("python3"), "not run: there is no python3 on the PATH");
    Process endpoint =
        new ProcessBuilder("python3", "examples/http-check/endpoint.py", "0")
            .directory(ROOT.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader printed =
            new BufferedReader(
                new InputStreamReader(endpoint.getInputStream(), StandardCharsets.UTF_8));
        TimeSource time = TimeSource.system();
        Playground playground =
            Playground.start(
                new Playground.Options(
                    0,
                    Playground.quietConfiguration(),
                    EnumSet.of(CheckName.HTTP),
                    Duration.ofSeconds(2)),
                time);
        LiveObjects objects = new LiveObjects(URI.create(playground.address()));
        ClusterConnection reader = Target.of(playground.kubeconfig()).connect("reader")) {
      String port = printed.readLine().replace("listening on ", "");

      Matcher files = FILE.matcher(Files.readString(ROOT.resolve("docs/guides/http-check.md")));
      while (files.find()) {
        LiveObjects.documents(files.group(2).replace(":8089/", ":" + port + "/"))
            .forEach(objects::apply);
      }

      await()
          .untilAsserted(
              () -> {
                Workload small = workload(reader, "job-small-");
                assertThat(small.conditions().admitted()).isTrue();
                Workload large = workload(reader, "job-large-");
                // What the check said stays in the condition; its entry is reset by the
                // deactivation.
                assertThat(large.spec().active()).isFalse();
                assertThat(large.conditions().findTrue(WorkloadConditions.EVICTED))
                    .hasValueSatisfying(
                        evicted ->
                            assertThat(evicted.message())
                                .contains("\"three-pods\" (At most 3 pods; it has 4.)"));
              });
    } finally {
      endpoint.destroy();
    }
  }

  @Test
  @Tag("nightly")
  void theEndpointInGoCompiles(@TempDir Path folder) throws Exception {
    assumeTrue(isOnThePath("go"), "not run: there is no go on the PATH");
    Path printed = folder.resolve("printed");
    ProcessBuilder go =
        new ProcessBuilder(
                "go", "build", "-o", folder.resolve("endpoint").toString(), "endpoint.go")
            .directory(ROOT.resolve("examples/http-check").toFile())
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile());
    go.environment().put("GOCACHE", folder.resolve("cache").toString());
    go.environment().put("GOTOOLCHAIN", "local");

    assertThat(go.start().waitFor()).as(Files.readString(printed)).isZero();
  }

  private static Workload workload(ClusterConnection reader, String prefix) {
    return reader
        .api()
        .list(KueueTypes.WORKLOAD, ListOptions.inNamespace("default"))
        .items()
        .stream()
        .filter(each -> each.key().name().startsWith(prefix))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no Workload " + prefix));
  }

  private static boolean isOnThePath(String program) throws IOException {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
