// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static io.github.kueue4j.e2e.charts.Chart.only;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.kueue4j.e2e.charts.Chart.Rendered;
import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The alerts of the charts, and the page that says what to do. */
class AlertsTest {
  private static final List<String> CHARTS = List.of("kueue-core", "admission-checks");
  private static final Pattern SECTION =
      Pattern.compile(
          "## (Kueue4j\\w+)\n\n(\\w+), (?:after (\\w+)|at once):\n\n```text\n(.+)\n```\n");
  private static final Pattern METRIC = Pattern.compile("kueue4?j?_\\w+");

  /** An alert, as the page and the rule have it. */
  private record Alert(String severity, String duration, String expression) {}

  @Test
  void thePageHasASectionForEach() throws IOException {
    Map<String, Alert> ofThePage = new TreeMap<>();
    SECTION
        .matcher(page("docs/guides/alerts.md"))
        .results()
        .forEach(
            each ->
                ofThePage.put(
                    each.group(1),
                    new Alert(
                        each.group(2).toLowerCase(Locale.ROOT),
                        each.group(3) == null ? "" : each.group(3),
                        each.group(4))));

    Map<String, Alert> ofTheCharts = new TreeMap<>();
    for (JsonObject rule : rules()) {
      Alert alert =
          new Alert(
              rule.getAsJsonObject("labels").get("severity").getAsString(),
              rule.has("for") ? rule.get("for").getAsString() : "",
              rule.get("expr").getAsString());
      Alert same = ofTheCharts.put(rule.get("alert").getAsString(), alert);
      assertThat(same == null || same.equals(alert)).as("%s in both charts", alert).isTrue();
    }
    assertThat(ofThePage).isEqualTo(ofTheCharts).hasSize(17);
  }

  @Test
  void theirMetricsAreServed() throws IOException {
    String metrics = page("docs/metrics.md");
    Set<String> names = new LinkedHashSet<>();
    for (JsonObject rule : rules()) {
      METRIC
          .matcher(rule.get("expr").getAsString())
          .results()
          .forEach(each -> names.add(each.group().replaceFirst("_(bucket|count)$", "")));
    }

    assertThat(names)
        .hasSizeGreaterThan(10)
        .allSatisfy(name -> assertThat(metrics).contains("`" + name + "`"));
  }

  @Test
  void linkToTheirRunbooks() throws IOException {
    List<JsonObject> rules = rules();

    assertThat(rules).hasSize(20);
    for (JsonObject rule : rules) {
      String name = rule.get("alert").getAsString();
      assertThat(rule.getAsJsonObject("annotations").get("runbook_url").getAsString())
          .isEqualTo("https://example.com/alerts.md#" + name.toLowerCase(Locale.ROOT));
      assertThat(rule.getAsJsonObject("labels").get("team").getAsString()).isEqualTo("batch");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"kueue-core", "admission-checks"})
  void areOptInAndCanBeLeftOut(String chart) {
    assertThat(Chart.named(chart).render()).noneMatch(each -> each.kind().equals("PrometheusRule"));
    assertThat(rendered(chart, ", disabled: [Kueue4jEventsLost]").toString())
        .contains("Kueue4jCacheNotUpdated")
        .doesNotContain("Kueue4jEventsLost");
    assertThatThrownBy(() -> rendered(chart, ", disabled: [EventsLost]"))
        .hasMessageContaining("there is no alert \"EventsLost\"; the alerts are ");
  }

  @Test
  void prometheusTakesThem(@TempDir Path folder) throws IOException, InterruptedException {
    assumeThat(Programs.onThePath("promtool")).as("promtool is not on the PATH").isTrue();
    List<String> command = new ArrayList<>(List.of("promtool", "check", "rules"));
    for (String chart : CHARTS) {
      Path file = folder.resolve(chart + ".yaml");
      Files.writeString(file, String.valueOf(rendered(chart, "").at("spec")));
      command.add(file.toString());
    }

    assertThat(Programs.run(command)).contains("SUCCESS: 12 rules found", "SUCCESS: 8 rules found");
  }

  /** Whether they fire when they should, and don't otherwise. */
  @Test
  void fireWhenTheyShould(@TempDir Path folder) throws IOException, InterruptedException {
    assumeThat(Programs.onThePath("promtool")).as("promtool is not on the PATH").isTrue();
    Files.writeString(
        folder.resolve("core.yaml"), String.valueOf(rendered("kueue-core", "").at("spec")));
    Files.writeString(
        folder.resolve("checks.yaml"), String.valueOf(rendered("admission-checks", "").at("spec")));
    List<String> command = new ArrayList<>(List.of("promtool", "test", "rules"));
    for (String name : List.of("alerts-test.yaml", "alerts-of-a-day-test.yaml")) {
      Path test = folder.resolve(name);
      try (InputStream in = AlertsTest.class.getResourceAsStream(name)) {
        Files.copy(requireNonNull(in), test);
      }
      command.add(test.toString());
    }

    assertThat(Programs.run(command).lines())
        .filteredOn(line -> line.contains("SUCCESS"))
        .hasSize(2);
  }

  private static List<JsonObject> rules() {
    List<JsonObject> rules = new ArrayList<>();
    for (String chart : CHARTS) {
      JsonElement groups = requireNonNull(rendered(chart, "").at("spec", "groups"));
      groups
          .getAsJsonArray()
          .get(0)
          .getAsJsonObject()
          .getAsJsonArray("rules")
          .forEach(rule -> rules.add(rule.getAsJsonObject()));
    }
    return rules;
  }

  private static Rendered rendered(String chart, String more) {
    return only(
        Chart.named(chart)
            .renderWith(
                "{crds: {install: false}, metrics: {prometheusRule: {enabled: true, alertLabels:"
                    + " {team: batch}, runbookUrl: 'https://example.com/alerts.md'"
                    + more
                    + "}}}"),
        "PrometheusRule");
  }

  private static String page(String name) throws IOException {
    return Files.readString(Checkout.root().resolve(name));
  }
}
