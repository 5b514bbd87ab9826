/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every page of the documentation does what it says: Java compiles, objects are accepted, commands
 * and patches work, links lead somewhere, names exist. {@code CONTRIBUTING.md} lists the comments
 * that tell this test what a block is.
 */
class DocumentationTest {
  private static final Path ROOT = root();

  /** Blocks that say something without asking anybody to do it. */
  private static final Set<String> SHOWN_ONLY = Set.of("text", "mermaid");

  private static Map<String, Page> pages;

  @TempDir Path folder;

  private static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("mvnw"))) {
      folder = folder.getParent();
    }
    return folder;
  }

  @BeforeAll
  static void read() throws IOException {
    pages = Page.all(ROOT);
  }

  @TestFactory
  Stream<DynamicNode> javaCompiles() {
    return each(
        "java",
        snippet -> assertThat(JavaSnippets.complaints(snippet)).as(snippet.code()).isEmpty());
  }

  @TestFactory
  Stream<DynamicNode> xmlIsWhatTheBuildSays() {
    return each(
        "xml",
        snippet ->
            assertThat(
                    Files.readString(ROOT.resolve("pom.xml"))
                        .replace("${project.version}", version())
                        .replaceAll("\\s", ""))
                .contains(snippet.code().replaceAll("\\s|</?dependency>", "")));
  }

  private static String version() throws IOException {
    return Files.readString(ROOT.resolve("pom.xml"))
        .replaceAll("(?s).*<artifactId>kueue4j-parent</artifactId>\\s*<version>(.*?)<.*", "$1");
  }

  private interface Check {
    void on(Page.Snippet snippet) throws IOException, InterruptedException;
  }

  private static Stream<DynamicNode> each(String language, Check check) {
    List<DynamicNode> tests = new ArrayList<>();
    for (Page page : pages.values()) {
      for (Page.Snippet snippet : tested(page)) {
        if (snippet.language().equals(language)) {
          tests.add(dynamicTest(page.name() + ":" + snippet.line(), () -> check.on(snippet)));
        }
      }
    }
    assertThat(tests).as("blocks of " + language).isNotEmpty();
    return tests.stream();
  }

  private static List<Page.Snippet> tested(Page page) {
    return page.snippets().stream()
        .filter(snippet -> !snippet.markers().containsKey("untested"))
        .toList();
  }

  /** One cluster per page; a step that fails makes the later ones fail too, so it stops there. */
  @TestFactory
  Stream<DynamicNode> stepsWorkFromTopToBottom() {
    List<DynamicNode> tests =
        pages.values().stream()
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
      return true; // Others' pages come and go; the build asks nobody.
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
  Stream<DynamicNode> namesExist() throws IOException {
    Vocabulary vocabulary = Vocabulary.of(ROOT);
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

  @Test
  void everyMetricIsListed() throws IOException {
    Set<String> listed =
        pages.get("docs/metrics.md").words().stream()
            .map(word -> word.replaceFirst("(_seconds)?(_total)?$", ""))
            .collect(Collectors.toSet());

    assertThat(listed).containsAll(Vocabulary.of(ROOT).metrics());
  }

  @Test
  void everyPageIsReachedFromTheReadme() {
    Set<String> reached = new LinkedHashSet<>();
    List<String> next = new ArrayList<>(List.of("README.md"));
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
