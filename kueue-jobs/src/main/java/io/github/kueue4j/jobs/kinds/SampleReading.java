// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs.kinds;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.PodRequests;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.ResourceFlavorSpec;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.jobs.JobKind.Start;
import io.github.kueue4j.jobs.JobKind.StopStep;
import io.github.kueue4j.jobs.JsonWords;
import io.github.kueue4j.jobs.PodSetAdditions;
import io.github.kueue4j.jobs.declared.DeclaredJob;
import io.github.kueue4j.jobs.declared.DeclaredKind;
import io.github.kueue4j.jobs.declared.KindDeclaration;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** An object as the declaration of its kind has the core see it. */
final class SampleReading {
  private static final String EXAMPLE = "example";
  private static final Map<String, String> NODES = Map.of("example.com/nodes", EXAMPLE);

  private final KindDeclaration declaration;
  private final DeclaredKind kind;
  private final JsonObject tree;
  private final DeclaredJob job;

  private SampleReading(KindDeclaration declaration, JsonObject tree) {
    this.declaration = declaration;
    this.kind = new DeclaredKind(declaration);
    this.tree = tree;
    this.job = KueueJson.fromTree(tree, kind.type());
  }

  static SampleReading of(KindDeclaration declaration, String manifest) {
    try {
      Object document = new Yaml(new SafeConstructor(new LoaderOptions())).load(manifest);
      if (document == null || !(KueueJson.toTree(document) instanceof JsonObject tree)) {
        throw new IllegalArgumentException("is no manifest of an object");
      }
      String is = text(tree, "kind") + " of " + text(tree, "apiVersion");
      String declared = declaration.type().kind() + " of " + declaration.type().apiVersion();
      if (!declaration.type().isNamed(text(tree, "apiVersion"), text(tree, "kind"))) {
        throw new IllegalArgumentException(
            "is a " + is + "; take a " + declared + ", as the declaration says");
      }
      return new SampleReading(declaration, tree);
    } catch (YAMLException e) {
      throw new IllegalArgumentException(
          "is neither YAML nor JSON: "
              + String.valueOf(e.getMessage()).lines().findFirst().orElse(""),
          e);
    } catch (JsonParseException e) {
      throw new IllegalArgumentException("can't be read: " + JsonWords.of(e), e);
    }
  }

  private static String text(JsonObject tree, String member) {
    return tree.get(member) instanceof JsonPrimitive text ? text.getAsString() : "nothing";
  }

  /**
   * The core's reading of the sample.
   *
   * @param declared the lines of the declaration's keys
   */
  SampleTrial trial(Map<String, Integer> declared) {
    List<String> lines = new ArrayList<>();
    lines.add(declaration.type().kind() + " " + job.getMetadata().getName());
    lines.add("  suspended  " + yes(kind.suspended(job)));
    lines.add("  pods run   " + yes(kind.podsRun(job)));
    lines.add("  ready      " + yes(kind.podsReady(job)));
    lines.add(
        "  finished   "
            + kind.finished(job)
                .map(end -> (end.reason() + ": " + end.message()).replaceAll(": $", ""))
                .orElse("no"));
    kind.podSets(job).forEach(podSet -> lines.add("  pod set    " + text(podSet)));
    new TreeMap<>(kind.reclaimablePods(job))
        .forEach((name, pods) -> lines.add("  gives back " + name + ": " + pods + " of its pods"));
    Set<String> refusals = refusals();
    refusals.forEach(refusal -> lines.add("  refused    " + refusal));
    if (refusals.isEmpty()) {
      startAndStop(lines);
    }
    List<AbsentPath> absent = AbsentPath.in(tree, declaration);
    if (!absent.isEmpty()) {
      lines.add("paths of the declaration that lead nowhere in this object:");
      absent.forEach(each -> lines.add("  line " + declared.get(each.key()) + ": " + each.text()));
    }
    return new SampleTrial(
        refusals.isEmpty() && absent.stream().allMatch(AbsentPath::isFine),
        String.join("\n", lines) + "\n");
  }

  private static String yes(boolean holds) {
    return holds ? "yes" : "no";
  }

  private static String text(PodSet podSet) {
    Map<String, Quantity> requests = PodRequests.of(podSet.template().getSpec());
    return podSet.name()
        + ": "
        + podSet.count()
        + (podSet.count() == 1 ? " pod" : " pods, each")
        + (requests.isEmpty()
            ? " without requests"
            : new TreeMap<>(requests)
                .entrySet().stream()
                    .map(each -> each.getKey() + " " + each.getValue())
                    .collect(Collectors.joining(", ", " with ", "")))
        + (podSet.minCount() == null ? "" : "; at least " + podSet.minCount());
  }

  private Set<String> refusals() {
    Set<String> refusals = new LinkedHashSet<>();
    declaration.refusals().stream()
        .filter(refusal -> refusal.match().holds(tree))
        .forEach(refusal -> refusals.add(refusal.because()));
    kind.refusal(job).ifPresent(refusals::add);
    return refusals;
  }

  private void startAndStop(List<String> lines) {
    // An object that isn't created yet has no uid.
    DeclaredJob created = KueueJson.copyOf(job, DeclaredJob.class);
    if (Uids.of(created).isEmpty()) {
      created.getMetadata().setUid("the object's uid");
    }
    switch (kind.start(created, additions())) {
      case Start.Ready<DeclaredJob>(DeclaredJob started) -> {
        lines.add("a start writes, on nodes with the label example.com/nodes=example:");
        lines.addAll(changes(created, started));
        DeclaredJob stopped =
            kind.nextStopStep(started, kind.podSets(job)).map(StopStep::after).orElse(started);
        List<String> left = changes(created, stopped);
        lines.add("a stop takes that back" + (left.isEmpty() ? "" : ", and leaves:"));
        lines.addAll(left);
      }
      case Start.ResetFirst<DeclaredJob> unused ->
          throw new IllegalStateException("declared kinds are started in one write");
      case Start.Impossible<DeclaredJob>(String why) ->
          lines.add("no start is shown: " + why + "; take an object that was never started");
    }
  }

  /** The reading of an admission on one flavor for everything. */
  private List<PodSetAdditions> additions() {
    List<PodSet> podSets = kind.podSets(job);
    Workload workload =
        Workload.named(EXAMPLE, "the Workload's name")
            .withMetadata(new V1ObjectMeta().namespace(EXAMPLE).name("the Workload's name"));
    workload = workload.withSpec(workload.spec().withPodSets(podSets).withQueueName(EXAMPLE));
    ResourceFlavor flavor =
        ResourceFlavor.named(EXAMPLE)
            .withSpec(new ResourceFlavorSpec(NODES, List.of(), List.of(), null));
    List<PodSetAssignment> assignments =
        podSets.stream()
            .map(
                podSet ->
                    new PodSetAssignment(
                        podSet.name(), Map.of("cpu", EXAMPLE), Map.of(), podSet.count()))
            .toList();
    return PodSetAdditions.of(workload, new Admission(EXAMPLE, assignments), name -> flavor);
  }

  /** The fields that differ, with their new values. */
  private static List<String> changes(DeclaredJob before, DeclaredJob after) {
    Map<String, String> old = new TreeMap<>();
    Map<String, String> changed = new TreeMap<>();
    collect("", KueueJson.toTree(before), old);
    collect("", KueueJson.toTree(after), changed);
    Set<String> paths = new LinkedHashSet<>(old.keySet());
    paths.addAll(changed.keySet());
    return paths.stream()
        .filter(path -> !Objects.equals(old.get(path), changed.get(path)))
        .sorted()
        .map(path -> "  " + path + ": " + changed.getOrDefault(path, "removed"))
        .toList();
  }

  private static void collect(String path, JsonElement value, Map<String, String> leaves) {
    switch (value) {
      case JsonObject object ->
          object
              .asMap()
              .forEach((name, member) -> collect(path + step(path, name), member, leaves));
      case JsonArray list -> {
        for (int i = 0; i < list.size(); i++) {
          collect(path + "[" + i + "]", list.get(i), leaves);
        }
      }
      default -> leaves.put(path, value.toString());
    }
  }

  private static String step(String path, String name) {
    if (name.matches("[A-Za-z0-9_-]+")) {
      return path.isEmpty() ? name : "." + name;
    }
    return "[" + new JsonPrimitive(name) + "]";
  }
}
