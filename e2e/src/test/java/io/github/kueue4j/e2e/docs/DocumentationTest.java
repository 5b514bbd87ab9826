// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.kueue4j.testdefaults.Checkout;
import io.github.kueue4j.testdefaults.PossibleLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Every page of the documentation does what it says: Java compiles, objects are accepted, commands
 * and patches work, links lead somewhere, names exist. {@code CONTRIBUTING.md} lists the comments
 * that tell this test what a block is.
 */
@Order(1)
@PossibleLog(
    logger = "org.junit.jupiter.engine.extension",
    message = "Deleting symbolic link",
    because = "the folder of a page has links to the examples and the charts")
@PossibleLog(
    logger = "Evaluator",
    message = "Evaluation failed",
    because = "the server that a page names may not have begun when its check asks it")
class DocumentationTest {
  private static final Path ROOT = Checkout.root();

  /** What {@code new-check} writes. */
  private static final String NEW_PROJECT =
      "cli/src/main/resources/io/github/kueue4j/cli/project/pom.xml";

  /** Languages of code blocks that are shown and not run. */
  private static final Set<String> SHOWN_ONLY = Set.of("text", "mermaid");

  private static final String README = "README.md";

  private static Map<String, Page> pages;
  private static Vocabulary vocabulary;

  @TempDir Path folder;

  @BeforeAll
  static void read() throws IOException {
    pages = Page.all(ROOT);
    vocabulary = Vocabulary.of(ROOT);
  }

  @TestFactory
  Stream<DynamicNode> javaCompiles() {
    Map<String, Page.Snippet> snippets = snippets("java");
    Iterator<List<String>> complaints =
        JavaSnippets.complaints(List.copyOf(snippets.values())).iterator();
    return snippets.entrySet().stream()
        .map(
            each -> {
              List<String> ofThis = complaints.next();
              return dynamicTest(
                  each.getKey(), () -> assertThat(ofThis).as(each.getValue().code()).isEmpty());
            });
  }

  /** Blocks that the build compiles and tests where they stand are quoted, letter by letter. */
  @TestFactory
  Stream<DynamicNode> quotesAreRegionsOfSources() {
    List<DynamicNode> tests = new ArrayList<>();
    for (Page page : pages.values()) {
      for (Page.Snippet snippet : page.snippets()) {
        String quoted = snippet.markers().get("snippet");
        if (quoted != null) {
          tests.add(
              dynamicTest(
                  page.name() + ":" + snippet.line(),
                  () -> assertThat(snippet.code()).as(quoted).isEqualTo(region(quoted))));
        }
      }
    }
    assertThat(tests).as("blocks with <!-- snippet: source region -->").isNotEmpty();
    return tests.stream();
  }

  /**
   * The lines between {@code // @start region=NAME} and {@code // @end region=NAME} of a source.
   *
   * @param quoted the source, relative to the checkout, and the region's name
   */
  private static String region(String quoted) throws IOException {
    String[] sourceAndName = quoted.split(" ", 2);
    assertThat(sourceAndName).as("source and region").hasSize(2);
    String text = Files.readString(ROOT.resolve(sourceAndName[0]));
    String begin = "// @start region=" + sourceAndName[1] + "\n";
    int from = text.indexOf(begin);
    int marker = text.indexOf("// @end region=" + sourceAndName[1], from);
    int to = text.lastIndexOf('\n', marker) + 1;
    assertThat(from).as("region " + quoted).isNotNegative();
    assertThat(to).as("end of region " + quoted).isGreaterThan(from);
    // A text that ends in a line break counts as not indented, so that goes first.
    return text.substring(from + begin.length(), to).stripTrailing().stripIndent() + "\n";
  }

  @TestFactory
  Stream<DynamicNode> xmlIsWhatTheBuildSays() {
    return each(
        "xml",
        snippet -> {
          if (snippet.code().startsWith("<configuration>")) {
            return; // Of logback: TerminationTest, in kueue4j-sdk, starts processes with it.
          }
          assertThat(List.of("pom.xml", NEW_PROJECT))
              .as("one of these has the lines of " + snippet.code())
              .anyMatch(pom -> build(pom).contains(snippet.code().replaceAll("\\s", "")));
        });
  }

  /** A pom without white space, and with this build's version. */
  private static String build(String pom) {
    return text(pom)
        .replace("${project.version}", version())
        .replace("@version@", version())
        .replaceAll("\\s", "");
  }

  private static String text(String file) {
    try {
      return Files.readString(ROOT.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String version() {
    return text("pom.xml")
        .replaceAll("(?s).*<artifactId>kueue4j-parent</artifactId>\\s*<version>(.*?)<.*", "$1");
  }

  private interface Check {
    void on(Page.Snippet snippet) throws IOException, InterruptedException;
  }

  private static Stream<DynamicNode> each(String language, Check check) {
    return snippets(language).entrySet().stream()
        .map(each -> dynamicTest(each.getKey(), () -> check.on(each.getValue())));
  }

  /** The tested blocks of a language by page and line. */
  private static Map<String, Page.Snippet> snippets(String language) {
    Map<String, Page.Snippet> snippets = new LinkedHashMap<>();
    for (Page page : pages.values()) {
      for (Page.Snippet snippet : tested(page)) {
        if (snippet.language().equals(language)) {
          snippets.put(page.name() + ":" + snippet.line(), snippet);
        }
      }
    }
    assertThat(snippets).as("blocks of " + language).isNotEmpty();
    return snippets;
  }

  private static List<Page.Snippet> tested(Page page) {
    return page.snippets().stream()
        .filter(snippet -> !snippet.markers().containsKey("untested"))
        .toList();
  }

  /** What users try first, in each build; the other pages before a landing. */
  @Test
  void stepsOfTheReadmeWorkFromTopToBottom() throws IOException, InterruptedException {
    follow(Objects.requireNonNull(pages.get(README)));
  }

  /**
   * One cluster per page, several pages at once; a step that fails makes the later ones fail too,
   * so it stops there.
   */
  @Tag("landing")
  @TestFactory
  @Execution(ExecutionMode.CONCURRENT)
  Stream<DynamicNode> stepsWorkFromTopToBottom() {
    List<DynamicNode> tests =
        pages.values().stream()
            .filter(page -> !page.name().equals(README))
            .filter(page -> tested(page).stream().anyMatch(PageRun::isStep))
            .map(page -> (DynamicNode) dynamicTest(page.name(), () -> follow(page)))
            .toList();
    assertThat(tests).isNotEmpty();
    return tests.stream();
  }

  private void follow(Page page) throws IOException, InterruptedException {
    Path here = Files.createTempDirectory(folder, "page");
    try (PageRun run = PageRun.start(page, here, ROOT)) {
      for (Page.Snippet snippet : tested(page)) {
        if (PageRun.isStep(snippet)) {
          try {
            run.follow(snippet);
          } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(page.name() + ":" + snippet.line() + ": " + e.getMessage(), e);
          }
        }
      }
    }
  }

  @Test
  void everyBlockIsTestedOrSaysWhyNot() {
    Set<String> known = Set.of("java", "xml", "yaml", "json", "sh");
    List<String> unknown = new ArrayList<>();
    for (Page page : pages.values()) {
      for (Page.Snippet snippet : page.snippets()) {
        boolean reason = !snippet.markers().getOrDefault("untested", "").isBlank();
        if (!reason
            && !known.contains(snippet.language())
            && !SHOWN_ONLY.contains(snippet.language())) {
          unknown.add(page.name() + ":" + snippet.line() + " '" + snippet.language() + "'");
        }
      }
    }
    assertThat(unknown)
        .as("use one of %s or %s, or say <!-- untested: why -->", known, SHOWN_ONLY)
        .isEmpty();
  }

  @TestFactory
  Stream<DynamicNode> linksLeadSomewhere() {
    return pages.values().stream()
        .map(page -> dynamicTest(page.name(), () -> assertThat(broken(page)).isEmpty()));
  }

  private static List<String> broken(Page page) {
    return page.links().stream().filter(link -> !leadsSomewhere(page, link)).toList();
  }

  private static boolean leadsSomewhere(Page from, String link) {
    if (link.startsWith("https://")) {
      return true; // Pages of other sites come and go; the build makes no requests to them.
    }
    String[] parts = link.split("#", 2);
    Path target =
        parts[0].isEmpty()
            ? ROOT.resolve(from.name())
            : ROOT.resolve(from.name()).resolveSibling(parts[0]).normalize();
    if (!Files.exists(target) || !target.startsWith(ROOT)) {
      return false;
    }
    Page page = pages.get(ROOT.relativize(target).toString());
    return parts.length == 1 || (page != null && page.anchors().contains(parts[1]));
  }

  @TestFactory
  Stream<DynamicNode> namesExist() {
    return pages.values().stream()
        .map(
            page ->
                dynamicTest(
                    page.name(),
                    () ->
                        assertThat(vocabulary.unknown(page))
                            .as(String.join("; ", vocabulary.rules()))
                            .isEmpty()));
  }

  /** So that {@link #namesExist} looks for each of them. */
  @Test
  void everyMethodOfTheArchitectureIsALinkToItsSource() {
    Page page = pages.get("docs/architecture.md");
    assertThat(page.words().stream().filter(word -> word.matches("[A-Z][\\w.]*\\.[a-z]\\w*")))
        .isNotEmpty()
        .hasSameElementsAs(page.methods().stream().map(Page.LinkedMethod::name).toList());
  }

  @Test
  void everyMetricIsListed() {
    Set<String> listed =
        pages.get("docs/metrics.md").words().stream()
            .map(word -> word.replaceFirst("(_seconds)?(_total)?$", ""))
            .collect(Collectors.toSet());

    assertThat(listed).containsAll(vocabulary.metrics());
  }

  @Test
  void everyPageIsReachedFromTheReadme() {
    Set<String> reached = new LinkedHashSet<>();
    List<String> next = new ArrayList<>(List.of(README));
    while (!next.isEmpty()) {
      String name = next.removeFirst();
      Page page = pages.get(name);
      if (page != null && reached.add(name)) {
        for (String link : page.links()) {
          Path target = ROOT.resolve(name).resolveSibling(link.split("#", 2)[0]).normalize();
          if (Files.isDirectory(target)) {
            target = target.resolve("README.md");
          }
          if (target.startsWith(ROOT)) {
            next.add(ROOT.relativize(target).toString());
          }
        }
      }
    }
    assertThat(
            pages.keySet().stream()
                .filter(name -> !reached.contains(name))
                .collect(Collectors.toSet()))
        .as("pages that no link leads to")
        .isEmpty();
  }
}
