// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.core.admission.KnownKeys;
import io.github.kueue4j.e2e.architecture.Sources;
import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Nothing that the API lets users write is passed over in silence. Two tables say of each field and
 * each key whether it is carried out, refused or told, and what shows it. The fields are those of
 * our definitions, the keys those of {@link KnownKeys} and of a list, which have all that our
 * sources name.
 *
 * <p>A row is {@code name; outcome; evidence; word}. A name may hold alternatives in braces; those
 * of fields begin with the kind. The evidence of {@code carried out} is a test, as class or
 * class#method; of {@code told} a text of the main sources; of {@code refused} a test, or a text of
 * the kind's definition. The source of a test must hold the last part of the name, or the word of
 * the row. The evidence of {@code silent} says why.
 */
class ApiContractTest {
  /** How many rows may be silent: those that are, and never more. */
  private static final int SILENT_FIELDS = 20;

  private static final int SILENT_KEYS = 12;

  /** What the API leaves to Kubernetes: its fields are not walked. */
  private static final Set<String> OF_KUBERNETES = Set.of("Workload.spec.podSets[].template.spec");

  private static final Pattern KEY =
      Pattern.compile(
          "\"((?:provreq\\.kueue\\.x-k8s|kueue\\.x-k8s|checks\\.kueue4j|kueue4j)"
              + "\\.io/[A-Za-z0-9._-]*)\"");

  private static final Pattern VERSION = Pattern.compile(".*/v\\d\\w*");

  private static final Pattern TEST = Pattern.compile("(\\w+Test)(?:#(\\w+))?");

  private static final Map<String, String> TESTS = new HashMap<>();
  private static final Map<Path, String> MAIN = new HashMap<>();

  private record Row(String name, String outcome, String evidence, String word) {
    String kind() {
      return name.substring(0, Math.max(0, name.indexOf('.')));
    }

    String lastPart() {
      return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('/')) + 1)
          .replace("[]", "");
    }
  }

  @BeforeAll
  static void readSources() throws IOException {
    for (Path source : Sources.in("src/test/java")) {
      String name = String.valueOf(source.getFileName()).replace(".java", "");
      // A line break in a literal is no letter before a word.
      TESTS.merge(name, Files.readString(source).replace("\\n", " "), String::concat);
    }
    for (Path source : Sources.in("src/main/java")) {
      MAIN.put(Checkout.root().relativize(source), Files.readString(source));
    }
  }

  @Test
  void eachFieldIsCarriedOutRefusedOrTold() throws IOException {
    List<Row> rows = rows("api-fields.csv");
    Map<String, String> definitions = definitions();

    Set<String> fields = fields(definitions);
    assertThat(names(rows)).doesNotHaveDuplicates();
    assertThat(without(fields, names(rows))).as("fields without a row").isEmpty();
    assertThat(without(names(rows), fields)).as("rows without a field").isEmpty();
    assertThat(rows.stream().flatMap(row -> faults(row, definitions.getOrDefault(row.kind(), ""))))
        .isEmpty();
    assertThat(silent(rows)).hasSize(SILENT_FIELDS);
  }

  @Test
  void eachKeyIsCarriedOutRefusedOrTold() throws IOException {
    List<Row> rows = rows("api-keys.csv");

    List<String> known =
        Stream.concat(
                KnownKeys.NAMES.stream().map(KnownKeys.PREFIX::concat),
                lines("known-keys.txt").flatMap(ApiContractTest::expanded))
            .toList();
    assertThat(known).doesNotHaveDuplicates();
    assertThat(without(keysOfTheSources(), known)).as("keys that aren't known").isEmpty();
    assertThat(names(rows)).as("keys with a row").containsExactlyInAnyOrderElementsOf(known);
    assertThat(rows.stream().flatMap(row -> faults(row, ""))).isEmpty();
    assertThat(silent(rows)).hasSize(SILENT_KEYS);
  }

  private static List<String> names(List<Row> rows) {
    return rows.stream().map(Row::name).toList();
  }

  private static List<String> without(Collection<String> some, Collection<String> others) {
    return some.stream().filter(each -> !others.contains(each)).toList();
  }

  private static List<String> silent(List<Row> rows) {
    return rows.stream().filter(row -> row.outcome().equals("silent")).map(Row::name).toList();
  }

  /** What is wrong with a row. */
  private static Stream<String> faults(Row row, String definition) {
    return switch (row.outcome()) {
      case "carried out" -> faultsOfTest(row);
      case "refused" ->
          TEST.matcher(row.evidence()).matches()
              ? faultsOfTest(row)
              : unless(definition.contains(row.evidence()), row, "no such text in the definition");
      case "told" ->
          unless(
              MAIN.values().stream().anyMatch(source -> source.contains(row.evidence())),
              row,
              "no such text in the main sources");
      case "silent" -> unless(!row.evidence().isEmpty(), row, "without a reason");
      default -> Stream.of(row + ": no such outcome");
    };
  }

  private static Stream<String> faultsOfTest(Row row) {
    List<MatchResult> named = TEST.matcher(row.evidence()).results().toList();
    if (named.isEmpty()) {
      return Stream.of(row + ": names no test");
    }
    return named.stream()
        .flatMap(
            test -> {
              String source = TESTS.getOrDefault(test.group(1), "");
              String method = test.group(2);
              String word = row.word().isEmpty() ? row.lastPart() : row.word();
              return Stream.of(
                      unless(
                          method == null
                              ? !source.isEmpty()
                              : source.contains("void " + method + "("),
                          row,
                          "no such test"),
                      unless(mentions(source, word), row, "the test doesn't name " + word))
                  .flatMap(each -> each);
            });
  }

  /** As a word of its own, or at the end of one in camel case. */
  private static boolean mentions(String source, String word) {
    String quoted = Pattern.quote(word);
    String capital = Pattern.quote(Character.toUpperCase(word.charAt(0)) + word.substring(1));
    return Pattern.compile("(?<!\\w)" + quoted + "(?!\\w)|(?<=[a-z])" + capital + "(?!\\w)")
        .matcher(source)
        .find();
  }

  private static Stream<String> unless(boolean good, Row row, String fault) {
    return good ? Stream.of() : Stream.of(row + ": " + fault);
  }

  /** Those that say something. */
  private static Stream<String> lines(String resource) throws IOException {
    try (InputStream stream =
        Objects.requireNonNull(ApiContractTest.class.getResourceAsStream(resource))) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"));
    }
  }

  private static List<Row> rows(String resource) throws IOException {
    List<Row> rows = new ArrayList<>();
    for (String line : lines(resource).toList()) {
      String[] cells = line.split(" *; *", -1);
      assertThat(cells).as(line).hasSizeBetween(3, 4);
      String word = cells.length == 4 ? cells[3] : "";
      expanded(cells[0]).forEach(name -> rows.add(new Row(name, cells[1], cells[2], word)));
    }
    assertThat(rows).isNotEmpty();
    return rows;
  }

  /** A name for each combination of its alternatives. */
  private static Stream<String> expanded(String name) {
    int open = name.indexOf('{');
    if (open < 0) {
      return Stream.of(name);
    }
    int close = name.indexOf('}', open);
    return Stream.of(name.substring(open + 1, close).split(",", -1))
        .flatMap(each -> expanded(name.substring(0, open) + each + name.substring(close + 1)));
  }

  private static Set<String> keysOfTheSources() {
    Set<String> keys =
        MAIN.entrySet().stream()
            .filter(source -> !source.getKey().startsWith("e2e")) // Not shipped.
            .flatMap(source -> KEY.matcher(source.getValue()).results())
            .map(found -> found.group(1))
            .filter(key -> !VERSION.matcher(key).matches())
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(keys).contains("kueue.x-k8s.io/queue-name");
    return keys;
  }

  /** By kind. */
  private static Map<String, String> definitions() throws IOException {
    Map<String, String> definitions = new TreeMap<>();
    try (Stream<Path> files = Files.walk(Checkout.root().resolve("charts"))) {
      for (Path file : files.filter(each -> each.toString().contains("files/crds/")).toList()) {
        String yaml = Files.readString(file);
        definitions.put(spec(yaml).getAsJsonObject("names").get("kind").getAsString(), yaml);
      }
    }
    assertThat(definitions).containsKeys("Workload", "BudgetPolicy");
    return definitions;
  }

  private static JsonObject spec(String definition) {
    return KueueJson.toTree(Chart.parse(definition).getFirst().tree())
        .getAsJsonObject()
        .getAsJsonObject("spec");
  }

  /** Those of all versions that have no fields of their own. */
  private static Set<String> fields(Map<String, String> definitions) {
    Set<String> fields = new TreeSet<>();
    definitions.forEach(
        (kind, definition) -> {
          for (JsonElement version : spec(definition).getAsJsonArray("versions")) {
            collect(
                version
                    .getAsJsonObject()
                    .getAsJsonObject("schema")
                    .getAsJsonObject("openAPIV3Schema"),
                kind,
                fields);
          }
        });
    return fields;
  }

  private static void collect(JsonObject schema, String path, Set<String> fields) {
    if (schema.has("properties") && !OF_KUBERNETES.contains(path)) {
      schema
          .getAsJsonObject("properties")
          .asMap()
          .forEach((name, field) -> collect(field.getAsJsonObject(), path + "." + name, fields));
    } else if (schema.has("items") && schema.getAsJsonObject("items").has("properties")) {
      collect(schema.getAsJsonObject("items"), path + "[]", fields);
    } else if (!path.matches("\\w+\\.(apiVersion|kind|metadata)")) {
      fields.add(path);
    }
  }
}
