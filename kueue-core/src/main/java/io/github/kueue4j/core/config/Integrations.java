// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.jobs.CopiedMetadata;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.JobKinds;
import io.github.kueue4j.jobs.PlainPod;
import io.github.kueue4j.jobs.ServingKind;
import io.github.kueue4j.jobs.UnmanagedKind;
import io.github.kueue4j.jobs.declared.DeclaredKind;
import io.github.kueue4j.jobs.declared.KindDeclaration;
import io.github.kueue4j.jobs.kinds.BuiltInKinds;
import io.github.kueue4j.jobs.kinds.DeclarationReader;
import io.github.kueue4j.jobs.yaml.YamlBlock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The kinds of Jobs that are managed (the block {@code integrations}).
 *
 * @param frameworks such as {@code batch/job}
 * @param external kinds whose Workloads an external controller creates
 * @param copied the metadata that a new Workload copies from its Job
 * @param kinds all kinds that are supported: those in code, those built in and those declared here
 */
@API(status = API.Status.EXPERIMENTAL)
public record Integrations(
    List<String> frameworks, List<ExternalKind> external, CopiedMetadata copied, JobKinds kinds) {
  private static final List<String> DEFAULT = List.of("batch/job");
  private static final String POD = new PlainPod().framework();

  /** What files of other implementations name and no {@link JobKinds} of ours is for. */
  private static final Set<String> UNSUPPORTED =
      UnmanagedKind.ALL.stream()
          .map(UnmanagedKind::framework)
          .collect(Collectors.toUnmodifiableSet());

  public Integrations {
    frameworks = List.copyOf(frameworks);
    external = List.copyOf(external);
  }

  /** All kinds that are supported without a declaration. */
  public static Integrations ofAll() {
    return of(List.copyOf(of(List.of()).types().keySet()));
  }

  /** These kinds, which are supported without a declaration. */
  public static Integrations of(List<String> frameworks) {
    return new Integrations(
        frameworks, List.of(), new CopiedMetadata(Set.of(), Set.of()), BuiltInKinds.registry());
  }

  /** The types of all kinds that are supported, by the names of their frameworks. */
  public Map<String, ResourceType<?>> types() {
    Map<String, ResourceType<?>> types = new LinkedHashMap<>();
    kinds.all().forEach(kind -> types.put(kind.framework(), kind.type()));
    ServingKind.ALL.forEach(kind -> types.put(kind.framework(), kind.type()));
    return types;
  }

  /** The kinds whose pods are queued in place of their objects. */
  public List<ServingKind> serving() {
    return ServingKind.ALL.stream().filter(kind -> frameworks.contains(kind.framework())).toList();
  }

  /** The kinds that are managed. */
  public List<JobKind<?>> managed() {
    return kinds.named(frameworks);
  }

  /**
   * The kinds whose pods run on the quota of their object, such as {@code batch/v1 Job}; those of
   * external controllers included.
   */
  public List<String> ownersOfPods() {
    return Stream.concat(
            managed().stream()
                .filter(kind -> kind.suspendField().isPresent())
                .map(JobKind::type)
                .flatMap(
                    type ->
                        type.versions().stream()
                            .map(each -> type.inVersion(each).apiVersion() + ' ' + type.kind())),
            external.stream().map(kind -> kind.apiVersion() + ' ' + kind.kind()))
        .toList();
  }

  /**
   * Reads the block.
   *
   * @param measured custom labels of metrics, whose sources in Workloads are copied, too: labels as
   *     in KEP-7066, and likewise annotations
   * @param ignoreUnsupported whether frameworks of other implementations are reported instead of
   *     refused
   */
  static Integrations read(YamlBlock root, List<CustomLabel> measured, boolean ignoreUnsupported) {
    try (YamlBlock block = root.block("integrations")) {
      // The declaration alone has a kind managed.
      List<KindDeclaration> declared = DeclarationReader.declared(root.block("kueue4j"));
      JobKinds kinds =
          BuiltInKinds.registry().and(declared.stream().map(DeclaredKind::new).toList());
      List<String> available = new ArrayList<>(kinds.frameworks());
      ServingKind.ALL.forEach(kind -> available.add(kind.framework()));
      Set<String> frameworks =
          new LinkedHashSet<>(readFrameworks(block, available, ignoreUnsupported));
      declared.forEach(kind -> frameworks.add(kind.framework()));
      if (frameworks.contains(POD) && !root.has("webhook")) {
        block.reportUnused("frameworks", "without the block webhook no pod is held for its quota");
      }
      for (ServingKind kind : ServingKind.ALL) {
        leaveOutWithout(
            POD, "queued as pods", kind.framework(), frameworks, block, ignoreUnsupported);
      }
      for (JobKind<?> kind : kinds.all()) {
        kind.podsIn()
            .ifPresent(
                type ->
                    leaveOutWithout(
                        kinds.frameworkOf(type).orElseThrow(),
                        "those of its " + type.kind(),
                        kind.framework(),
                        frameworks,
                        block,
                        ignoreUnsupported));
      }
      List<ExternalKind> external =
          block.texts("externalFrameworks", List.of()).stream()
              .map(text -> ExternalKind.read(block, text))
              .toList();
      Set<String> labels = new LinkedHashSet<>(block.texts("labelKeysToCopy", List.of()));
      labels.forEach(label -> SelectorBlock.checkKey(block, "labelKeysToCopy", label));
      Set<String> annotations = new LinkedHashSet<>();
      measured.stream()
          .filter(label -> label.labelSource() == CustomLabel.LabelSource.WORKLOAD)
          .forEach(label -> (label.annotation() ? annotations : labels).add(label.key()));
      return new Integrations(
          List.copyOf(frameworks), external, new CopiedMetadata(labels, annotations), kinds);
    }
  }

  /** Pods would run without quota if the kind were managed without that which has them. */
  private static void leaveOutWithout(
      String needed,
      String pods,
      String framework,
      Set<String> frameworks,
      YamlBlock block,
      boolean ignoreUnsupported) {
    if (!frameworks.contains(needed) && frameworks.remove(framework)) {
      if (!ignoreUnsupported) {
        throw block.invalid(
            "frameworks",
            "names %s, whose pods are %s: name %s, too".formatted(framework, pods, needed));
      }
      block.reportUnused(
          "frameworks", "pods of %s are not managed without %s".formatted(framework, needed));
    }
  }

  private static List<String> readFrameworks(
      YamlBlock block, List<String> available, boolean ignoreUnsupported) {
    List<String> named = block.texts("frameworks", DEFAULT);
    if (Set.copyOf(named).size() < named.size()) {
      throw block.invalid("frameworks", "names a framework twice; remove one of them");
    }
    Predicate<String> unknown = each -> UNSUPPORTED.contains(each) && !available.contains(each);
    List<String> unsupported = named.stream().filter(unknown).toList();
    List<String> frameworks = named.stream().filter(unknown.negate()).toList();
    for (String framework : frameworks) {
      if (!available.contains(framework)) {
        throw block.invalid(
            "frameworks",
            "names \"" + framework + "\"; available: " + String.join(", ", available));
      }
    }
    if (!unsupported.isEmpty()) {
      String names = String.join(", ", unsupported);
      if (!ignoreUnsupported) {
        throw block.invalid(
            "frameworks",
            "names "
                + names
                + ", which this core doesn't manage; remove what no Job here needs, or start with "
                + Launch.IGNORE_UNSUPPORTED
                + ". Available: "
                + String.join(", ", available));
      }
      block.reportUnused("frameworks", "Jobs of " + names + " are not managed");
    }
    return frameworks;
  }
}
