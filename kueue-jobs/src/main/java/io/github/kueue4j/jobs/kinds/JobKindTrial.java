// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs.kinds;

import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.declared.KindDeclaration;
import io.github.kueue4j.jobs.declared.KindDeclaration.PodSetDeclaration;
import io.github.kueue4j.jobs.declared.KindDeclaration.Wrapped;
import io.github.kueue4j.jobs.declared.KindDeclaration.Wrapping;
import io.github.kueue4j.jobs.declared.Match;
import io.github.kueue4j.jobs.yaml.InvalidConfigurationException;
import io.github.kueue4j.jobs.yaml.YamlBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A declaration of a kind of Jobs, for its author: what it says, and what it makes of an object.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class JobKindTrial {
  private final KindDeclaration declaration;

  /** The lines of the declaration's keys. */
  private final Map<String, Integer> lines;

  private JobKindTrial(KindDeclaration declaration, String yaml) {
    this.declaration = declaration;
    this.lines = KeyLines.of(yaml);
  }

  /**
   * Reads a declaration as one of {@code kueue4j.jobKinds}.
   *
   * @param yaml one declaration
   * @throws InvalidConfigurationException if a configuration with it would be refused, or a core
   *     would warn of it at its start; the message has line, key, problem and remedy
   */
  public static JobKindTrial of(String yaml) {
    List<String> unused = new ArrayList<>();
    YamlBlock block = BuiltInKinds.block(yaml, unused);
    KindDeclaration declaration = DeclarationReader.read(block);
    if (!unused.isEmpty()) {
      throw new InvalidConfigurationException(unused.getFirst());
    }
    for (JobKind<?> builtIn : BuiltInKinds.registry().all()) {
      if (builtIn.framework().equals(declaration.framework())
          || builtIn.type().qualifiedName().equals(declaration.type().qualifiedName())) {
        throw block.invalid(
            "framework",
            "declares %s of %s, which is built in; name %s in integrations.frameworks instead"
                .formatted(
                    builtIn.type().kind(), builtIn.type().apiVersion(), builtIn.framework()));
      }
    }
    return new JobKindTrial(declaration, yaml);
  }

  /** The built-in declaration of this framework, or of the file of this name. */
  public static Optional<JobKindTrial> builtIn(String name) {
    return BuiltInKinds.find(name).map(yaml -> new JobKindTrial(BuiltInKinds.parse(yaml), yaml));
  }

  public String framework() {
    return declaration.framework();
  }

  public String apiVersion() {
    return declaration.type().apiVersion();
  }

  public String kind() {
    return declaration.type().kind();
  }

  /** The pod sets by name; those of a list or map by its path. */
  public List<String> podSets() {
    return Stream.concat(
            declaration.podSets().stream()
                .map(
                    set ->
                        set.forEach()
                            .map(list -> "one for each of " + list)
                            .orElseGet(() -> set.name().orElse(""))),
            declaration.wraps().stream().map(wraps -> "those of the objects in " + wraps.forEach()))
        .toList();
  }

  private static List<String> summary(Wrapping wraps) {
    String known =
        wraps.inferred().stream().map(Wrapped::kind).sorted().collect(Collectors.joining(", "));
    return Stream.of(
            "  pod sets   those of the objects in %s, at the paths in their %s"
                .formatted(wraps.forEach(), wraps.podSets()),
            known.isEmpty() ? "" : "  known      those of " + known,
            "  written    to " + wraps.infos() + " beside each object, and removed by a stop")
        .filter(line -> !line.isEmpty())
        .toList();
  }

  /** What it says, in some lines. */
  public String summary() {
    List<String> lines = new ArrayList<>();
    lines.add("valid: %s of %s, as %s".formatted(kind(), declaration.type().group(), framework()));
    lines.add("  version    " + String.join(", else ", declaration.type().versions()));
    lines.add("  resource   " + declaration.type().qualifiedName());
    lines.add("  stopped    while " + declaration.fields().suspend() + " is true");
    declaration.wraps().ifPresent(wraps -> lines.addAll(summary(wraps)));
    for (int i = 0; i < declaration.podSets().size(); i++) {
      PodSetDeclaration set = declaration.podSets().get(i);
      String count =
          set.count().factors().isEmpty()
              ? "1 pod"
              : set.count().factors().stream()
                      .map(String::valueOf)
                      .collect(Collectors.joining(" * "))
                  + " pods";
      lines.add(
          "  pod set    %s: %s of %s%s%s"
              .formatted(
                  podSets().get(i),
                  count,
                  set.template(),
                  set.count().minCount().map(least -> ", at least " + least).orElse(""),
                  set.reclaimable().map(path -> "; gives back " + path + " of them").orElse("")));
    }
    lines.add("  ready      " + Match.words(declaration.progress().ready()));
    lines.add("  finished   " + Match.words(declaration.end().finished()));
    declaration
        .refusals()
        .forEach(refusal -> lines.add("  refused    if " + refusal.match().words()));
    return String.join("\n", lines) + "\n";
  }

  /**
   * The result for an object.
   *
   * @param manifest YAML or JSON
   * @throws IllegalArgumentException if it is no object of the kind
   */
  public SampleTrial on(String manifest) {
    return SampleReading.of(declaration, manifest).trial(lines);
  }
}
