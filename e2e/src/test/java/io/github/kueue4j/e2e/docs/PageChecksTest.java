// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The checks of the documentation find what they are there to find. */
class PageChecksTest {
  @Test
  void readsWhatAPageHolds() {
    Page page =
        Page.parse(
            "docs/page.md",
            """
            # The `first` step: go!

            See [below](#more) and [there](../README.md).

            ## More
            ## More

            <!-- given: int a -->
            <!-- untested: because -->
            ```java
            int b = a;
            ```
            """);

    assertThat(page.anchors()).containsExactly("the-first-step-go", "more", "more-1");
    assertThat(page.links()).containsExactly("#more", "../README.md");
    assertThat(page.words()).containsExactly("first");
    assertThat(page.snippets())
        .containsExactly(
            new Page.Snippet(
                "java", "int b = a;\n", Map.of("given", "int a", "untested", "because"), 10));
  }

  @Test
  void findsNamesThatAreGone() throws IOException {
    Page page =
        Page.parse(
            "docs/page.md",
            """
            `spec.retry`, `spec.rety`, `status.admissionChecks[].retryCount`,
            `kueue_evicted_workloads_total`, `kueue_expelled_workloads_total`,
            `AdmissionCheckRetry`, `%s`,
            `sdk/api`, `sdk/nowhere`, `kubectl get`, `Ready`,
            [`StateLoop.post`][loop], [`StateLoop.Question.accept`][loop],
            [`StateLoop.reserve`][loop], [`State.schedule`][loop], [`StateLoop`][loop]

            [loop]: ../kueue-core/src/main/java/io/github/kueue4j/core/state/StateLoop.java
            """
                .formatted("Admission" + "CheckReentry"));

    assertThat(Vocabulary.of(Checkout.root()).unknown(page))
        .containsExactly(
            "field spec.rety",
            "file sdk/nowhere",
            "identifier Admission" + "CheckReentry",
            "method State.schedule",
            "method StateLoop",
            "method StateLoop.reserve",
            "metric kueue_expelled_workloads_total");
  }

  @Test
  void compilesFilesMembersStatementsAndValues() {
    List<List<String>> complaints =
        JavaSnippets.complaints(
            List.of(
                snippet("import java.util.List;\nclass A { List<String> all; }", ""),
                snippet("Verdict now() {\n  return Verdict.ready(\"yes\");\n}", ""),
                snippet("var b = a.plusSeconds(1);", "Duration a"),
                snippet("Delay.exactly(a)", "Duration a"),
                snippet("Verdict.perhaps(\"yes\")", ""),
                snippet("var b = a;", ""),
                snippet("class A { Unknown b; }", "")));

    assertThat(complaints).hasSize(7);
    assertThat(complaints.subList(0, 4)).allSatisfy(each -> assertThat(each).isEmpty());
    assertThat(complaints.subList(4, 7)).allSatisfy(each -> assertThat(each).isNotEmpty());
  }

  private static Page.Snippet snippet(String code, String given) {
    return new Page.Snippet("java", code, Map.of("given", given), 1);
  }

  @Test
  void findsCallsOfTheLauncher() {
    Page page =
        Page.parse(
            "docs/page.md",
            "`./kueue4j` or `./kueue4j\ndemo`\n```sh\n./kueue4j up --port 1  # or 2\nls\n```\n");

    assertThat(page.launches()).containsExactly("./kueue4j up --port 1", "./kueue4j demo");
  }

  @Test
  void comparesWhatIsShownWithWhatIsThere() {
    String live =
        "{a: {b: true, c: [{name: x, t: '2026-01-01T10:00:00Z'}, {name: y}]}, m: 'until noon'}";

    assertThat(difference("{a: {c: [{name: y}]}, m: until ...}", live)).isEmpty();
    assertThat(difference("{a: {c: [{name: x, t: '2040-12-31T00:00:00Z'}]}}", live)).isEmpty();
    assertThat(difference("{a: {b: false}}", live)).contains(".a.b is true, not false");
    assertThat(difference("{a: {d: 1}}", live)).contains(".a.d is missing");
    assertThat(difference("{a: {c: [{name: z}]}}", live)).isPresent();
    assertThat(difference("{a: {c: [{name: y, t: '2040-12-31T00:00:00Z'}]}}", live)).isPresent();
    assertThat(difference("{m: until}", live)).isPresent();
  }

  private static Optional<String> difference(String shown, String live) {
    return LiveObjects.difference(
        "", LiveObjects.documents(shown).getFirst(), LiveObjects.documents(live).getFirst());
  }

  @Test
  void leavesOutTheLauncherOnly() {
    assertThat(Commands.hasSomethingToRun("./kueue4j demo  # slow\n\n./mvnw verify\n")).isFalse();
    assertThat(Commands.hasSomethingToRun("./kueue4j up\nkubectl get jobs\n")).isTrue();
  }
}
