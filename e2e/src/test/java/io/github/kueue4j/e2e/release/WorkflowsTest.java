// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The workflows, as far as can be seen without the service that runs them: that they can be read,
 * and that the profiles, modules, tests and files that their commands name exist.
 */
class WorkflowsTest {
  private static final Path ROOT = Checkout.root();

  static List<Path> workflows() throws IOException {
    try (Stream<Path> files = Files.list(ROOT.resolve(".github/workflows"))) {
      List<Path> found = files.sorted().toList();
      assertThat(found).hasSize(3);
      return found;
    }
  }

  static List<Path> forms() throws IOException {
    try (Stream<Path> files = Files.list(ROOT.resolve(".github/ISSUE_TEMPLATE"))) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("workflows")
  void saysThatItWasNeverRunAndAsksForNoMoreThanItNeeds(Path file) throws IOException {
    assertThat(Files.readString(file)).startsWith("# Never run so far");
    Map<String, Object> workflow = read(file);
    assertThat(workflow).containsKeys("name", "permissions", "jobs");
    assertThat(map(workflow.get("jobs")).values())
        .isNotEmpty()
        .allSatisfy(
            job -> assertThat(map(job)).containsKeys("runs-on", "timeout-minutes", "steps"));
    assertThat(steps(file))
        .isNotEmpty()
        .allSatisfy(
            step ->
                assertThat(
                        step.containsKey("run") ^ String.valueOf(step.get("uses")).contains("@v"))
                    .as(step.toString())
                    .isTrue());
  }

  @ParameterizedTest
  @MethodSource("workflows")
  void whatItsCommandsNameExists(Path file) throws IOException {
    List<String> calls = new ArrayList<>();
    for (Map<String, Object> step : steps(file)) {
      if (step.get("run") instanceof String script) {
        script
            .lines()
            .map(String::strip)
            .filter(line -> line.startsWith("./mvnw ") || line.startsWith("helm "))
            .forEach(calls::add);
      }
    }
    assertThat(calls).isNotEmpty();
    for (String call : calls) {
      assertThat(missing(call)).as(call).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("forms")
  void aFormForIssuesHasFieldsWithLabels(Path file) throws IOException {
    Map<String, Object> form = read(file);
    assertThat(form).containsKeys("name", "description", "body");
    assertThat((Collection<?>) form.get("body"))
        .isNotEmpty()
        .allSatisfy(
            field ->
                assertThat(map(map(field).get("attributes")))
                    .containsKey("markdown".equals(map(field).get("type")) ? "value" : "label"));
  }

  /** What the command names, but isn't there. */
  private static List<String> missing(String call) throws IOException {
    String[] words = call.replaceAll("[\"']", "").split("\\s+", -1);
    List<String> missing = new ArrayList<>();
    if (words[0].equals("helm")) {
      Optional.of(words[2]).filter(chart -> !exists(chart + "/Chart.yaml")).ifPresent(missing::add);
      return missing;
    }
    Set<String> profiles =
        Stream.concat(Stream.of(Poms.root()), Poms.modules().stream())
            .flatMap(pom -> pom.texts("/project/profiles/profile/id").stream())
            .collect(Collectors.toSet());
    for (int i = 1; i < words.length; i++) {
      if (words[i].startsWith("-P")) {
        split(words[i].substring(2)).filter(each -> !profiles.contains(each)).forEach(missing::add);
      } else if (words[i].equals("-pl")) {
        split(words[i + 1]).filter(each -> !exists(each + "/pom.xml")).forEach(missing::add);
      } else if (words[i].startsWith("-Dtest=")) {
        for (String test : split(words[i].substring("-Dtest=".length())).toList()) {
          if (!isTest(test)) {
            missing.add(test);
          }
        }
      }
    }
    return missing;
  }

  private static Stream<String> split(String list) {
    return Arrays.stream(list.split(",", -1));
  }

  private static boolean exists(String path) {
    return Files.exists(ROOT.resolve(path));
  }

  private static boolean isTest(String name) throws IOException {
    try (Stream<Path> files = Files.walk(ROOT.resolve("e2e/src/test/java"))) {
      return files.anyMatch(file -> file.endsWith(name + ".java"));
    }
  }

  private static List<Map<String, Object>> steps(Path file) throws IOException {
    return map(read(file).get("jobs")).values().stream()
        .flatMap(job -> ((Collection<?>) map(job).get("steps")).stream())
        .map(WorkflowsTest::map)
        .toList();
  }

  private static Map<String, Object> read(Path file) throws IOException {
    return map(new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(file)));
  }

  /** The keys as text: YAML 1.1 takes the word "on" for a truth value. */
  private static Map<String, Object> map(Object value) {
    return ((Map<?, ?>) value)
        .entrySet().stream()
            .collect(Collectors.toMap(each -> String.valueOf(each.getKey()), Map.Entry::getValue));
  }
}
