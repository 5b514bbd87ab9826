// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.docs;

import static java.util.stream.Collectors.joining;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.cli.components.CheckName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the pages may name: fields of the API, metrics, identifiers and files of the sources. A word
 * that is gone from the sources, but not from a page, is found this way.
 */
final class Vocabulary {
  private static final Pattern FIELD =
      Pattern.compile("(?:spec|status)(?:\\.[a-zA-Z]+(?:\\[\\])?)+");
  private static final Pattern METRIC = Pattern.compile("kueue(?:4j)?_[a-z_]+");
  private static final Pattern SUFFIX = Pattern.compile("_(?:total|seconds|bucket|count|sum)$");

  /** Names of meters in the sources, whole or as CoreMetrics puts them together. */
  private static final Pattern METER =
      Pattern.compile("\"((?:kueue4?j?|leader\\.election|controller\\.runtime)(?:\\.[a-z]+)+)\"");

  private static final Pattern PREFIXED_METER =
      Pattern.compile("(?:count|time)\\(\\s*\"([a-z]+(?:\\.[a-z]+)+)\"");

  private static final Pattern IDENTIFIER = Pattern.compile("[A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+");

  private final Path root;
  private final Set<String> fields = new HashSet<>();

  /** Those of the sources that stand alone: to look for each in all the text takes long. */
  private final Set<String> identifiers;

  private final String sources;
  private final String production;

  private Vocabulary(Path root, String sources, String production) {
    this.root = root;
    this.sources = sources;
    this.identifiers =
        IDENTIFIER.matcher(sources).results().map(MatchResult::group).collect(Collectors.toSet());
    this.production = production;
  }

  static Vocabulary of(Path root) throws IOException {
    StringBuilder sources = new StringBuilder();
    StringBuilder production = new StringBuilder();
    try (Stream<Path> files =
        Files.find(
            root,
            20,
            (file, attributes) ->
                attributes.isRegularFile()
                    && file.toString().matches(".*\\.(java|yaml|txt|xml)")
                    && !file.toString().contains("/target/"))) {
      for (Path file : files.sorted().toList()) {
        String text = Files.readString(file);
        sources.append(text);
        if (file.toString().contains("/src/main/") && registersMeters(root.relativize(file))) {
          production.append(text);
        }
      }
    }
    Vocabulary vocabulary = new Vocabulary(root, sources.toString(), production.toString());
    Stream.of(
            Crds.kueue().stream(),
            Crds.external().stream(),
            Arrays.stream(CheckName.values()).flatMap(check -> check.crds().stream()))
        .flatMap(crds -> crds)
        .flatMap(crd -> LiveObjects.documents(crd).stream())
        .forEach(vocabulary::addFields);
    return vocabulary;
  }

  /** Launchers and tests register none; what looks like one there is the name of a property. */
  private static boolean registersMeters(Path file) {
    return Stream.of("e2e", "cli", "config").noneMatch(file::startsWith);
  }

  private void addFields(JsonObject crd) {
    for (JsonElement version : crd.getAsJsonObject("spec").getAsJsonArray("versions")) {
      addFields(
          "",
          version.getAsJsonObject().getAsJsonObject("schema").getAsJsonObject("openAPIV3Schema"));
    }
  }

  private void addFields(String path, JsonObject schema) {
    fields.add(path);
    if (schema.has("items")) {
      addFields(path, schema.getAsJsonObject("items"));
    }
    if (schema.has("properties")) {
      schema
          .getAsJsonObject("properties")
          .asMap()
          .forEach(
              (name, property) ->
                  addFields(path.isEmpty() ? name : path + "." + name, property.getAsJsonObject()));
    }
  }

  /** The words that mean nothing, each with what they were taken for. */
  Set<String> unknown(Page page) {
    Set<String> unknown = new TreeSet<>();
    for (String word : page.words()) {
      meant(word).ifPresent(kind -> unknown.add(kind + " " + word));
    }
    for (Page.LinkedMethod method : page.methods()) {
      if (!exists(method)) {
        unknown.add("method " + method.name());
      }
    }
    return unknown;
  }

  /** Whether the class of the linked source, or one within it, has a method of this name. */
  private static boolean exists(Page.LinkedMethod method) {
    String source = method.source();
    String type =
        source.substring(source.indexOf(Page.SOURCES) + Page.SOURCES.length(), source.length() - 5);
    String[] names = method.name().split("\\.");
    if (names.length < 2 || !source.endsWith("/" + names[0] + ".java")) {
      return false;
    }
    String nested =
        Arrays.stream(names, 1, names.length - 1).map(each -> '$' + each).collect(joining());
    try {
      Class<?> named =
          Class.forName(type.replace('/', '.') + nested, false, Vocabulary.class.getClassLoader());
      return Arrays.stream(named.getDeclaredMethods())
          .anyMatch(each -> each.getName().equals(names[names.length - 1]));
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** What an unknown word was taken for; empty if it is known, or no such name at all. */
  private Optional<String> meant(String word) {
    if (FIELD.matcher(word).matches()) {
      String field = word.replace("[]", "");
      return fields.contains(field) ? Optional.empty() : Optional.of("field");
    }
    if (METRIC.matcher(word).matches()) {
      return isMetric(word) ? Optional.empty() : Optional.of("metric");
    }
    if (IDENTIFIER.matcher(word).matches()) {
      return identifiers.contains(word) || sources.contains(word)
          ? Optional.empty()
          : Optional.of("identifier");
    }
    String first = word.split("/", 2)[0];
    if (!first.isEmpty()
        && !first.equals("target") // What a build leaves is there only after it.
        && word.matches("[\\w./-]+/[\\w./-]*")
        && Files.isDirectory(root.resolve(first))) {
      return Files.exists(root.resolve(word)) ? Optional.empty() : Optional.of("file");
    }
    return Optional.empty();
  }

  /** Meters are registered with dots; the registry adds kind and unit, unless the name has it. */
  private boolean isMetric(String name) {
    String bare = name;
    for (String before = ""; !before.equals(bare); ) {
      before = bare;
      bare = SUFFIX.matcher(bare).replaceFirst("");
    }
    String dotted = bare.replace('_', '.');
    return Stream.of("", "kueue\\.", "kueue\\.local\\.queue\\.")
        .map(prefix -> dotted.replaceFirst("^" + prefix, ""))
        .anyMatch(
            each ->
                sources.contains('"' + each + '"') || sources.contains('"' + each + ".seconds\""));
  }

  /** Every metric that the sources register, without its unit and what the registry adds. */
  Set<String> metrics() {
    Set<String> metrics = new TreeSet<>();
    METER.matcher(production).results().forEach(found -> metrics.add(found.group(1)));
    PREFIXED_METER
        .matcher(sources)
        .results()
        .forEach(found -> metrics.add("kueue." + found.group(1)));
    return metrics.stream()
        .map(name -> name.replaceFirst("\\.seconds$", "").replace('.', '_'))
        .collect(Collectors.toSet());
  }

  /** For messages. */
  List<String> rules() {
    return List.of(
        "fields are those of the CRDs",
        "metrics and identifiers occur in the sources",
        "methods that are links are those of the linked class",
        "files are there");
  }
}
