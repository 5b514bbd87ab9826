// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every public type of the SDK and the testkit has an example that compiles, or leads to one. */
@Tag("thorough")
class JavadocExamplesTest {
  private static final Pattern TYPE =
      Pattern.compile(
          "(/\\*\\*(?:(?!\\*/).)*?\\*/)((?:\\s*@\\w+(?:\\((?:[^()]|\\([^()]*\\))*\\))?)*)\\s*"
              + "public (?:final |sealed |abstract )*(?:class|interface|record|enum|@interface)"
              + " (\\w+)",
          Pattern.DOTALL);
  private static final Pattern EXAMPLE =
      Pattern.compile("<pre>\\{@code\n(.*?)\n \\* }</pre>", Pattern.DOTALL);
  private static final Pattern LINK = Pattern.compile("@(?:see|link)\\s+(?:[\\w.]+\\.)?(\\w+)");

  /** What an example takes from its surroundings. */
  private static final Map<String, String> GIVEN =
      Map.ofEntries(
          Map.entry("BackendUnavailableException", "HttpClient http, HttpRequest request, URI uri"),
          Map.entry("CheckStarter", "KueueCluster cluster"),
          Map.entry(
              "Conformance",
              "JsonApi api, TimeSource time, RandomGenerator random, ControllerProxy proxy"),
          Map.entry("Grants", "CheckController.Builder builder, Evaluation<?> evaluation"),
          Map.entry("KueueScript", "KueueScript script"),
          Map.entry("Maintenance", "CheckController.Builder builder, org.slf4j.Logger log"),
          Map.entry(
              "PodWorkloads",
              "Watched<Workload> workloads, Watched<V1Job> jobs, Watched<V1Pod> pods"),
          Map.entry("ResourceClient", "CheckController.Builder builder"),
          Map.entry("TimeWindow", "Evaluation<?> evaluation, Reason CLOSED"),
          Map.entry("Watched", "CheckController.Builder builder"),
          Map.entry("WorkloadShape", "KueueCluster cluster"));

  private record Documented(String name, String text) {
    boolean hasExample() {
      return text.contains("<pre>") || text.contains("{@snippet");
    }

    boolean leadsToOne(Map<String, Documented> others) {
      return LINK.matcher(text)
          .results()
          .map(link -> others.get(link.group(1)))
          .anyMatch(other -> other != null && other.hasExample());
    }
  }

  @Test
  void everyTypeHasAnExampleOrALinkToOne() throws IOException {
    Map<String, Documented> types = types();

    assertThat(types).as("types found").hasSizeGreaterThan(50);
    assertThat(types.values())
        .filteredOn(type -> !type.hasExample() && !type.leadsToOne(types))
        .extracting(Documented::name)
        .as("add an example, or @see a type that has one")
        .isEmpty();
  }

  @TestFactory
  Stream<DynamicTest> examplesCompile() throws IOException {
    List<String> names = new ArrayList<>();
    List<Page.Snippet> examples = new ArrayList<>();
    for (Documented type : types().values()) {
      EXAMPLE
          .matcher(type.text())
          .results()
          .forEach(
              found -> {
                names.add(type.name());
                examples.add(snippet(type.name(), found.group(1)));
              });
    }
    assertThat(examples).hasSizeGreaterThan(5);
    List<List<String>> complaints = JavaSnippets.complaints(examples);
    return IntStream.range(0, examples.size())
        .mapToObj(
            i ->
                dynamicTest(
                    names.get(i),
                    () -> assertThat(complaints.get(i)).as(examples.get(i).code()).isEmpty()));
  }

  private static Page.Snippet snippet(String type, String example) {
    String code =
        example
            .lines()
            .map(line -> line.replaceFirst("^ \\* ?", ""))
            .collect(Collectors.joining("\n", "", "\n"));
    return new Page.Snippet("java", code, Map.of("given", GIVEN.getOrDefault(type, "")), 0);
  }

  private static Map<String, Documented> types() throws IOException {
    Map<String, Documented> types = new TreeMap<>();
    for (String module : List.of("sdk/admission-check", "sdk/http", "sdk/testkit")) {
      try (Stream<Path> sources =
          Files.walk(Checkout.root().resolve(module).resolve("src/main/java"))) {
        for (Path source : sources.filter(each -> each.toString().endsWith(".java")).toList()) {
          Matcher type = TYPE.matcher(Files.readString(source));
          if (type.find() && !type.group(2).contains("INTERNAL")) {
            types.put(type.group(3), new Documented(type.group(3), type.group(1)));
          }
        }
      }
    }
    return types;
  }
}
