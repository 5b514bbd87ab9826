// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.sdk.example.LicenseCheck;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The guide's program in a process of its own, with its options. */
@EnabledOnOs(OS.LINUX)
class ProgramTest {
  private static final String POD = "license-0";
  private static final String LOGGING =
      "<configuration><include resource=\"io/github/kueue4j/runtime/logback-console.xml\"/>"
          + "</configuration>";

  @TempDir Path folder;

  @Test
  void answersServesProbesHoldsItsLeaseAndLogsJson() throws Exception {
    try (KueueSide kueue = new KueueSide(ManualTime.create());
        OwnProcess program =
            OwnProcess.start(
                folder,
                POD,
                LOGGING,
                LicenseCheck.class,
                List.of(
                    "--server=" + kueue.server().uri(),
                    "--http-port=0",
                    "--leader-elect",
                    "--lease=default/licenses",
                    "--log-format=json"))) {
      kueue.admissionCheck("license", "example.com/license");
      ObjectKey job = kueue.workload("job");
      kueue.reserve(job, "license");

      await().until(() -> kueue.entry(job, "license").is(CheckState.READY));
      int port = port(program);
      assertThat(get(port, "/readyz").statusCode()).isEqualTo(200);
      // It is counted once it is written.
      await().until(() -> get(port, "/metrics").body().contains("kueue4j_check_verdicts_total"));
      ObjectKey lease = new ObjectKey("default", "licenses");
      assertThat(
              kueue.api().get(CoreTypes.LEASE, lease).orElseThrow().getSpec().getHolderIdentity())
          .isEqualTo(POD);

      program.signal("TERM");

      program.assertEnds(0);
      List<JsonObject> lines =
          program
              .errors()
              .lines()
              .filter(line -> !line.startsWith("WARNING: "))
              .map(line -> JsonParser.parseString(line).getAsJsonObject())
              .toList();
      assertThat(lines)
          .extracting(line -> line.get("message").getAsString())
          .contains("Running", "Wrote a verdict", "The process was asked to end; stopping");
      assertThat(lines)
          .filteredOn(line -> line.get("message").getAsString().equals("Wrote a verdict"))
          .singleElement()
          .satisfies(
              line -> {
                assertThat(line.get("workload").getAsString()).isEqualTo("default/job");
                assertThat(line.get("state").getAsString()).isEqualTo("Ready");
              });
    }
  }

  private static HttpResponse<String> get(int port, String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
          BodyHandlers.ofString());
    }
  }

  /** The port that it took, from the line of its log that says so. */
  private static int port(OwnProcess program) throws IOException {
    Pattern line = Pattern.compile("Serving probes or metrics.*\"port\":(\\d+)");
    Matcher found = line.matcher(program.errors());
    assertThat(found.find()).as(program.errors()).isTrue();
    return Integer.parseInt(found.group(1));
  }
}
