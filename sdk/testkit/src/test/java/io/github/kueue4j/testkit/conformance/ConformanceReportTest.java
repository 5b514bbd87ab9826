// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** A report for people, for programs and for build servers. */
class ConformanceReportTest {
  private static final String EVIDENCE = "a: {\"message\":\"<&]]> \u0000\uD800 \uD83D\uDE00\"}";

  private final ConformanceReport report =
      new ConformanceReport(
          "example.com/x",
          "http://127.0.0.1:1",
          List.of(
              new Outcome(Rule.ACTIVE, Outcome.Verdict.PASS, "seen"),
              new Outcome(Rule.NOT_RESERVED, Outcome.Verdict.FAIL, EVIDENCE),
              new Outcome(Rule.RESTART, Outcome.Verdict.SKIPPED, "no \"command\"")));

  @Test
  void namesTheRemedyAndThePassageOfWhatIsBroken() throws Exception {
    assertThat(report.toText())
        .contains("FAIL     5 not-reserved")
        .contains("remedy: before you answer, require the condition QuotaReserved to be True\n")
        .contains("see:    docs/guides/admission-check-flow.md#who-may-write-what-and-when\n");
    JsonNode json = new ObjectMapper().readTree(report.toJson()).path("rules").path(1);
    assertThat(json.path("remedy").asText()).isEqualTo(Rule.NOT_RESERVED.remedy());
    assertThat(json.path("passage").asText()).isEqualTo(Rule.NOT_RESERVED.passage());
  }

  @Test
  void isATestSuiteOfJunit() throws Exception {
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(report.toJunit().getBytes(StandardCharsets.UTF_8)));

    Element suite = document.getDocumentElement();
    assertThat(suite.getTagName()).isEqualTo("testsuite");
    assertThat(
            List.of(
                suite.getAttribute("name"),
                suite.getAttribute("tests"),
                suite.getAttribute("failures"),
                suite.getAttribute("errors"),
                suite.getAttribute("skipped")))
        .containsExactly("conformance of example.com/x", "3", "1", "0", "1");
    Element kept = (Element) suite.getElementsByTagName("testcase").item(0);
    assertThat(kept.getAttribute("classname")).isEqualTo("example.com/x");
    assertThat(kept.getAttribute("name")).isEqualTo("01 active");
    assertThat(kept.hasChildNodes()).isFalse();
    Element failure = (Element) suite.getElementsByTagName("failure").item(0);
    assertThat(failure.getAttribute("message")).endsWith(Rule.NOT_RESERVED.demand());
    assertThat(failure.getTextContent())
        .startsWith("a: {\"message\":\"<&]]> ?? \uD83D\uDE00\"}\n")
        .contains("remedy: " + Rule.NOT_RESERVED.remedy())
        .contains("see: " + Rule.NOT_RESERVED.passage());
    Element skipped = (Element) suite.getElementsByTagName("skipped").item(0);
    assertThat(skipped.getAttribute("message")).isEqualTo("no \"command\"");
  }

  @ParameterizedTest
  @EnumSource
  void everyRuleHasARemedyOfItsOwn(Rule rule) {
    assertThat(rule.remedy()).isNotBlank().doesNotEndWith(".").doesNotContain("\n");
    assertThat(rule.passage()).matches("docs/guides/[a-z-]+\\.md#[a-z-]+");
  }
}
