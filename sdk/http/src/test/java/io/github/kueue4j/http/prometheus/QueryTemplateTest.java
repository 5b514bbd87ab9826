// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.AssignedFlavor;
import io.github.kueue4j.sdk.fixture.Evaluations;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueryTemplateTest {
  private static final Instant NOW = Instant.parse("2026-06-01T08:00:00Z");
  private static final Set<Placeholder> ALL = EnumSet.allOf(Placeholder.class);

  @Test
  void aQueryWithoutPlaceholdersStaysAsItIs() {
    String query =
        "histogram_quantile(0.99, sum by (le) (rate(x_bucket{verb!=\"WATCH\"}[5m]))) # all";

    assertThat(QueryTemplate.parse(query, Set.of()).fill(QueryValues.none())).isEqualTo(query);
  }

  @Test
  void aTextIsEscapedSoThatItMatchesItself() {
    QueryTemplate template = QueryTemplate.parse("up{namespace=\"{{namespace}}\"}", ALL);

    assertThat(template.fill(named("team-a"))).isEqualTo("up{namespace=\"team-a\"}");
    assertThat(template.fill(named("a\"} or up{b='\\\n")))
        .isEqualTo("up{namespace=\"a\\x22} or up{b=\\x27\\\\\\n\"}");
  }

  @Test
  void aTextInARegularExpressionMatchesNothingElse() {
    QueryTemplate template =
        QueryTemplate.parse("up{a='b', namespace =~ 'x-{{ namespace }}-.*'}", ALL);

    assertThat(template.fill(named("a.b|.*")))
        .isEqualTo("up{a='b', namespace =~ 'x-(?:a\\\\.b\\\\|\\\\.\\\\*)-.*'}");
  }

  @Test
  void theValuesOfAWorkloadAreKnown() {
    QueryTemplate template =
        QueryTemplate.parse(
            "free{ns=\"{{namespace}}\",w=\"{{workload}}\",q=\"{{queue}}\",cq!=\"{{clusterQueue}}\","
                + "f=~\"{{flavor}}\"} - {{requests.cpu}} - {{requests.nvidia.com/gpu}} * {{pods}}"
                + " + {{priority}}",
            ALL);

    assertThat(template.placeholders())
        .containsExactlyInAnyOrderElementsOf(EnumSet.complementOf(EnumSet.of(Placeholder.WINDOW)));
    assertThat(template.fill(workload()))
        .isEqualTo(
            "free{ns=\"team-a\",w=\"train\",q=\"lq\",cq!=\"cq\",f=~\"(?:on-demand|spot)\"}"
                + " - 1.5 - 0 * 1 + (-7)");
  }

  @Test
  void aWindowIsWrittenInMilliseconds() {
    QueryTemplate template = QueryTemplate.parse("rate(x[{{window}}:1m])", ALL);

    assertThat(template.fill(QueryValues.none().withWindow(Duration.ofSeconds(90))))
        .isEqualTo("rate(x[90000ms:1m])");
    assertThatThrownBy(() -> template.fill(QueryValues.none()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no value was given for {{window}}");
    assertThatThrownBy(() -> QueryValues.none().withWindow(Duration.ofNanos(5)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a millisecond");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "up{a=\"{{node}}\"} | {{node}} is unknown: write one of {{namespace}}, {{window}}",
        "up{a=\"{{queue}}\"} | {{queue}} is unknown: write one of {{namespace}}, {{window}}",
        "up + {{namespace}} | outside of a label matcher: write it into quotes behind a label",
        "up{a=\"{{window}}\"} | {{window}} stands in a string",
        "label_replace(up, \"a\", \"{{namespace}}\", \"\", \"\") | a string that is no label matcher",
        "up{\"{{namespace}}\"} | a string that is no label matcher",
        "up{a=`{{namespace}}`} | between backticks",
        "up # {{namespace}} | in a comment",
        "up{a=\"{{namespace\"} | '{{namespace\"}' has no end",
        "^ ^ | the query is empty"
      })
  void whatCannotBeFilledSafelyIsRefused(String query, String problem) {
    assertThatThrownBy(
            () -> QueryTemplate.parse(query, EnumSet.of(Placeholder.NAMESPACE, Placeholder.WINDOW)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(problem);
  }

  @Test
  void aQuoteBehindABackslashEndsNoString() {
    QueryTemplate template =
        QueryTemplate.parse("up{b=\"\\\"\", a=\"{{namespace}}\"} # \"it's {", ALL);

    assertThat(template.fill(named("x"))).isEqualTo("up{b=\"\\\"\", a=\"x\"} # \"it's {");
  }

  @Test
  void severalFlavorsNeedARegularExpression() {
    assertThatThrownBy(() -> QueryTemplate.parse("up{f=\"{{flavor}}\"}", ALL))
        .hasMessageContaining("flavor=~\"{{flavor}}\"");
  }

  @Test
  void aLongQueryBelongsIntoARecordingRule() {
    assertThatThrownBy(() -> QueryTemplate.parse("x".repeat(8193), ALL))
        .hasMessageContaining("8193 characters")
        .hasMessageContaining("recording rule");
  }

  private static QueryValues named(String namespace) {
    return QueryValues.none().with(Placeholder.NAMESPACE, namespace);
  }

  private static QueryValues workload() {
    AdmissionCheckState entry = AdmissionCheckState.pending("check", NOW);
    PodSetAssignment assigned =
        new PodSetAssignment(
            "main",
            Map.of("cpu", "spot", "memory", "on-demand"),
            Map.of("cpu", Quantity.parse("1500m")),
            1);
    Workload plain = Evaluations.reserved("team-a", "train", assigned, entry, NOW);
    Workload workload = plain.withSpec(plain.spec().withQueueName("lq").withPriority(-7));
    return QueryValues.of(
        Evaluations.of(
            workload, entry, Map.of("cpu", flavor("spot"), "memory", flavor("on-demand")), NOW));
  }

  private static AssignedFlavor flavor(String name) {
    return new AssignedFlavor(name, Map.of(), List.of());
  }
}
