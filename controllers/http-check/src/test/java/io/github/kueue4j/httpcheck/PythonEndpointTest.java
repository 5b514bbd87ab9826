// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.kueue4j.http.AddressRange;
import io.github.kueue4j.http.AddressRules;
import io.github.kueue4j.http.HttpBackends;
import io.github.kueue4j.http.HttpCall;
import io.github.kueue4j.http.HttpEndpoint;
import io.github.kueue4j.http.SecretTexts;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.testdefaults.Checkout;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The endpoint of examples/http-check, as a process of its own. */
class PythonEndpointTest {
  private static final Path EXAMPLE = Checkout.root().resolve("examples/http-check/endpoint.py");

  @Test
  void answersDocumentsOfTheVersionThatTheCheckSends() throws Exception {
    assumeTrue(isOnThePath("python3"), "not run: there is no python3 on the PATH");
    Process process =
        new ProcessBuilder("python3", EXAMPLE.toString(), "0")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader printed =
            new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        HttpBackends backends =
            HttpBackends.of(
                SecretTexts.none(),
                AddressRules.defaults().allowing(AddressRange.parse("127.0.0.1")))) {
      String port = printed.readLine().replace("listening on ", "");
      URI uri = URI.create("http://127.0.0.1:" + port + "/");

      assertThat(answer(backends, uri, 2).verdict()).isEqualTo(Answer.Word.READY);
      Answer refused = answer(backends, uri, 4);
      assertThat(refused.verdict()).isEqualTo(Answer.Word.REJECTED);
      assertThat(refused.reason()).contains("TooManyPods");
      assertThat(refused.message()).isEqualTo("At most 3 pods; it has 4.");
    } finally {
      process.destroy();
    }
  }

  private static Answer answer(HttpBackends backends, URI uri, int pods) throws Exception {
    Evaluation<HttpCheckSpec> asked = Asked.about(pods, HttpCheckSpec.of(HttpEndpoint.of(uri)));
    HttpCall call = HttpCall.postJson(WorkloadDocument.of(asked).toString());
    return Answers.of(backends.at(HttpEndpoint.of(uri)).send(call), uri, asked.attemptId());
  }

  private static boolean isOnThePath(String program) throws IOException {
    List<String> folders =
        List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1));
    return folders.stream().anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
