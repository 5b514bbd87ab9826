// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.consumption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.http.AddressRange;
import io.github.kueue4j.http.AddressRules;
import io.github.kueue4j.http.HttpBackends;
import io.github.kueue4j.http.SecretTexts;
import io.github.kueue4j.sdk.BackendUnavailableException;
import io.github.kueue4j.testdefaults.Checkout;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

/** Services that speak the contract of docs/budget-consumption-openapi.yaml. */
class ServiceSourceTest {
  private static final Path DOCS = Checkout.root().resolve("docs");
  private static final Instant NOW = Instant.parse("2026-06-01T08:00:00Z");

  private final FakeService service = FakeService.start();
  private final HttpBackends backends =
      HttpBackends.of(
          SecretTexts.none(), AddressRules.defaults().allowing(AddressRange.parse("127.0.0.0/8")));
  private final MeasuredConsumption consumption = new MeasuredConsumption(backends);

  @AfterEach
  void end() {
    backends.close();
    service.close();
  }

  @Test
  void whatIsSentIsWhatTheContractSays() throws Exception {
    service.json("{\"value\": 42.5, \"asOf\": \"2026-06-01T07:58:00Z\"}");
    JsonObject question = schema("Question");
    Set<String> all = question.getAsJsonObject("properties").keySet();

    assertThat(spent("LocalQueue")).containsEntry("q", amount("42.5"));
    JsonObject ofQueue = JsonParser.parseString(service.asked().getLast()).getAsJsonObject();
    assertThat(ofQueue.keySet()).isEqualTo(all);
    assertThat(ofQueue.get("version"))
        .isEqualTo(question.getAsJsonObject("properties").getAsJsonObject("version").get("const"));
    assertThat(ofQueue.toString())
        .contains("\"namespace\":\"team-a\",\"queue\":\"q\",\"unit\":\"EUR\"")
        .contains("\"start\":\"2026-06-01T00:00:00Z\",\"end\":\"2026-06-01T08:00:00Z\"");

    assertThat(spent("Namespace")).containsEntry("", amount("42.5"));
    assertThat(JsonParser.parseString(service.asked().getLast()).getAsJsonObject().keySet())
        .containsAll(
            question.getAsJsonArray("required").asList().stream()
                .map(JsonElement::getAsString)
                .toList())
        .doesNotContain("queue");
  }

  @Test
  void itsExamplesAreAnswers() throws Exception {
    JsonObject examples =
        contract()
            .getAsJsonObject("paths")
            .getAsJsonObject("/")
            .getAsJsonObject("post")
            .getAsJsonObject("responses")
            .getAsJsonObject("200")
            .getAsJsonObject("content")
            .getAsJsonObject("application/json")
            .getAsJsonObject("examples");
    assertThat(examples.keySet()).containsExactly("inEuro", "shortest", "noData");
    for (String name : examples.keySet()) {
      service.json(
          examples.getAsJsonObject(name).get("value").toString().replace("research", "team-a"));
      if (name.equals("noData")) {
        assertThatThrownBy(() -> spent("Namespace"))
            .isInstanceOf(ConsumptionUnknownException.class)
            .hasMessageContaining("has no data of the namespace");
      } else {
        assertThat(spent("Namespace"))
            .containsEntry("", name.equals("inEuro") ? amount("42.5") : Amount.ZERO);
      }
    }
    assertThat(schema("Answer").getAsJsonObject("properties").keySet())
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(ServiceSource.Statement.class.getRecordComponents())
                .map(component -> component.getName())
                .toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "200 | application/json | {'value': 1, 'asOf': '2026-06-01T07:49:59Z'} | further from now",
        "200 | application/json | {'value': 1, 'asOf': '2026-06-01T08:10:01Z'} | further from now",
        "200 | application/json | {'value': -1, 'asOf': '2026-06-01T08:00:00Z'} | value: write a number of",
        "200 | application/json | {'value': '1', 'asOf': '2026-06-01T08:00:00Z'} | value: write a number",
        "200 | application/json | {'value': 1e999, 'asOf': '2026-06-01T08:00:00Z'} | value: write a number",
        "200 | application/json | {'value': 1} | asOf: write a time",
        "200 | application/json | {'value': 1, 'asOf': 'secret'} | asOf: write a time",
        "200 | application/json | {'value': 1, 'asOf': '2026-06-01T08:00:00Z', 'secret': 1} |"
            + " a field: there is no such field",
        "200 | application/json | {'value': 1, 'asOf': '2026-06-01T08:00:00Z', 'namespace': 'secret'} |"
            + " namespace: it answers another question",
        "200 | application/json | {'value': 1, 'asOf': '2026-06-01T08:00:00Z', 'unit': 'secret'} |"
            + " unit: it answers another question",
        "200 | application/json | {'value': 1, 'asOf': '2026-06-01T08:00:00Z'} secret | no JSON document",
        "200 | application/json | {'error': 'secret'} | a field: there is no such field",
        "200 | application/json | 7 | used: answer: write an object",
        "200 | text/html | {'value': 1, 'asOf': '2026-06-01T08:00:00Z'} | no JSON document",
        "204 | application/json | '' | answered 204",
        "404 | application/json | {'value': 1, 'asOf': '2026-06-01T08:00:00Z'} | answered 404",
        "302 | application/json | {'value': 1, 'asOf': '2026-06-01T08:00:00Z'} | answered 302",
        "503 | text/plain | secret | answered 503",
      })
  void anythingElseIsNoAnswer(int status, String type, String body, String problem) {
    service.answers(status, type, body.replace('\'', '"'));

    assertThatThrownBy(() -> spent("Namespace"))
        .isInstanceOf(BackendUnavailableException.class)
        .hasMessageStartingWith("What the namespace has used under the BudgetPolicy 'costs' can't")
        .hasMessageContaining(problem)
        .hasMessageNotContaining("secret");
  }

  @Test
  void theServiceOfTheGuideAnswersTheContract(@TempDir Path folder) throws Exception {
    assumeTrue(isOnThePath("python3"), "not run: there is no python3 on the PATH");
    Matcher python =
        Pattern.compile("```python\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(DOCS.resolve("guides/budget-check.md")));
    assertThat(python.find()).isTrue();
    assertThat(python.group(1).lines()).hasSizeLessThanOrEqualTo(22);
    Path script = Files.writeString(folder.resolve("spent.py"), python.group(1));
    Process process =
        new ProcessBuilder("python3", script.toString(), "0")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader printed =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String port = printed.readLine().replace("listening on ", "");
      URI uri = URI.create("http://127.0.0.1:" + port + "/");
      // The service goes by the real time.
      Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);

      assertThat(consumption.spent(policy(uri, "Namespace"), "research", "q", now, () -> {}))
          .containsEntry("", amount("12.5"));
      assertThatThrownBy(
              () -> consumption.spent(policy(uri, "Namespace"), "other", "q", now, () -> {}))
          .isInstanceOf(ConsumptionUnknownException.class);
    } finally {
      process.destroy();
    }
  }

  private Map<String, Amount> spent(String per) throws InterruptedException {
    // Nothing that was measured before.
    consumption.forgetPolicy("costs");
    return consumption.spent(policy(service.uri(), per), "team-a", "q", NOW, () -> {});
  }

  private static Amount amount(String units) {
    return Amount.of(Quantity.parse(units));
  }

  private static Policy policy(URI service, String per) {
    return Policy.of(
        CustomResource.of(
            Policy.POLICIES,
            new V1ObjectMeta().name("costs"),
            Map.of(
                "limit",
                100,
                "unit",
                "EUR",
                "per",
                per,
                "window",
                Map.of("type", "Daily"),
                "consumption",
                Map.of("http", Map.of("url", service.toString())))));
  }

  private static JsonObject schema(String name) throws IOException {
    return contract()
        .getAsJsonObject("components")
        .getAsJsonObject("schemas")
        .getAsJsonObject(name);
  }

  private static JsonObject contract() throws IOException {
    Object yaml =
        new Yaml().load(Files.readString(DOCS.resolve("budget-consumption-openapi.yaml")));
    return new Gson().toJsonTree(yaml).getAsJsonObject();
  }

  private static boolean isOnThePath(String program) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
