// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu.fit;

import io.kubernetes.client.openapi.models.V1Affinity;
import io.kubernetes.client.openapi.models.V1NodeAffinity;
import io.kubernetes.client.openapi.models.V1NodeSelector;
import io.kubernetes.client.openapi.models.V1NodeSelectorRequirement;
import io.kubernetes.client.openapi.models.V1NodeSelectorTerm;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1Toleration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that may take a pod: by its node selector, its required node affinity and its
 * tolerations, as the scheduler rules. A pod that names its node isn't scheduled: only that node
 * takes it, also if it is cordoned or has taints NoSchedule, which keep away what is scheduled
 * only.
 *
 * @param selector labels that the node must have
 * @param affinity terms of which the node must match one; absent: any node does
 * @param tolerations of the pod
 * @param node the node that the pod names; empty: none
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Constraints(
    Map<String, String> selector,
    Optional<List<Term>> affinity,
    Set<Toleration> tolerations,
    String node) {

  /** Any node without taints. */
  public static final Constraints NONE = new Constraints(Map.of(), Optional.empty(), Set.of());

  /** The constraints of a pod that names no node. */
  public Constraints(
      Map<String, String> selector, Optional<List<Term>> affinity, Set<Toleration> tolerations) {
    this(selector, affinity, tolerations, "");
  }

  /**
   * A term of the node affinity: all of its requirements must hold, and one without any matches no
   * node.
   */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public record Term(List<Requirement> labels, List<Requirement> fields) {
    boolean matches(NodeFacts node) {
      return (!labels.isEmpty() || !fields.isEmpty())
          && labels.stream().allMatch(one -> one.holds(node.labels().get(one.key())))
          && fields.stream()
              .allMatch(one -> one.key().equals("metadata.name") && one.holds(node.name()));
    }
  }

  /** A requirement on a label or a field. */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public record Requirement(String key, String operator, List<String> values) {
    boolean holds(@Nullable String value) {
      return switch (operator) {
        case "In" -> value != null && values.contains(value);
        case "NotIn" -> value == null || !values.contains(value);
        case "Exists" -> value != null;
        case "DoesNotExist" -> value == null;
        case "Gt" -> compared(value).filter(sign -> sign > 0).isPresent();
        case "Lt" -> compared(value).filter(sign -> sign < 0).isPresent();
        // One of a newer API: the scheduler may know it, so the pod is not promised a node.
        default -> false;
      };
    }

    private Optional<Integer> compared(@Nullable String value) {
      Optional<Long> left = number(value);
      Optional<Long> right = values.size() == 1 ? number(values.getFirst()) : Optional.empty();
      return left.flatMap(one -> right.map(other -> Long.compare(one, other)));
    }

    private static Optional<Long> number(@Nullable String text) {
      try {
        return text == null ? Optional.empty() : Optional.of(Long.parseLong(text));
      } catch (NumberFormatException noNumber) {
        return Optional.empty();
      }
    }
  }

  /** A toleration; an empty key tolerates all keys, an empty effect all effects. */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public record Toleration(String key, String operator, String value, String effect) {
    boolean tolerates(NodeFacts.Taint taint) {
      boolean sameKey = key.isEmpty() ? operator.equals("Exists") : key.equals(taint.key());
      boolean sameValue = operator.equals("Exists") || value.equals(taint.value());
      return sameKey && sameValue && (effect.isEmpty() || effect.equals(taint.effect()));
    }
  }

  /** Keeps copies. */
  public Constraints {
    selector = Map.copyOf(selector);
    affinity = affinity.map(List::copyOf);
    tolerations = Set.copyOf(tolerations);
  }

  /** The constraints of a pod with this spec. */
  public static Constraints of(@Nullable V1PodSpec pod) {
    if (pod == null) {
      return NONE;
    }
    return new Constraints(
        Objects.requireNonNullElse(pod.getNodeSelector(), Map.of()),
        affinity(pod.getAffinity()),
        tolerations(pod.getTolerations()),
        Objects.requireNonNullElse(pod.getNodeName(), ""));
  }

  /** The same, with labels and tolerations that are added when the pod starts. */
  public Constraints with(Map<String, String> labels, @Nullable List<V1Toleration> added) {
    Map<String, String> both = new HashMap<>(selector);
    both.putAll(labels);
    Set<Toleration> tolerated = new HashSet<>(tolerations);
    tolerated.addAll(tolerations(added));
    return new Constraints(both, affinity, tolerated, node);
  }

  /**
   * The same, with the tolerations that the admission plugin ExtendedResourceToleration adds to a
   * pod that requests these resources: of each extended one, of any value of the taint with its
   * name and the effect NoSchedule.
   *
   * @param resources that the pod requests, others included
   */
  public Constraints toleratingTaintsOf(Set<String> resources) {
    Set<Toleration> tolerated = new HashSet<>(tolerations);
    for (String resource : resources) {
      if (isExtended(resource)) {
        tolerated.add(new Toleration(resource, "Exists", "", "NoSchedule"));
      }
    }
    return tolerated.equals(tolerations)
        ? this
        : new Constraints(selector, affinity, tolerated, node);
  }

  /** As the API server tells extended resources from others. */
  private static boolean isExtended(String resource) {
    return resource.contains("/")
        && !resource.contains("kubernetes.io/")
        && !resource.startsWith("requests.");
  }

  /** Whether the node may take such a pod now, whatever room it has. */
  boolean admit(NodeFacts facts) {
    return facts.ready()
        && (facts.schedulable() || !node.isEmpty())
        && suits(facts)
        && facts.taints().stream().allMatch(this::tolerate);
  }

  /**
   * Whether the node may take such a pod once it is usable, and rid of taints that tell it isn't.
   */
  boolean mayAdmit(NodeFacts facts) {
    return suits(facts)
        && facts.taints().stream().allMatch(taint -> taint.tellsOfState() || tolerate(taint));
  }

  /**
   * The taint that alone keeps such a pod from a node that suits it otherwise; of several, one that
   * doesn't tell of a state. Empty if the node may take it, or doesn't suit it.
   */
  Optional<NodeFacts.Taint> repelledBy(NodeFacts facts) {
    if (!suits(facts)) {
      return Optional.empty();
    }
    return facts.taints().stream()
        .filter(taint -> !tolerate(taint))
        .min(Comparator.comparing(NodeFacts.Taint::tellsOfState));
  }

  private boolean suits(NodeFacts facts) {
    return (node.isEmpty() || node.equals(facts.name()))
        && facts.labels().entrySet().containsAll(selector.entrySet())
        && (affinity.isEmpty() || affinity.get().stream().anyMatch(term -> term.matches(facts)));
  }

  private boolean tolerate(NodeFacts.Taint taint) {
    // Of pods that name their node, the kubelet looks at these only.
    boolean concerned = node.isEmpty() || taint.effect().equals("NoExecute");
    return !concerned || tolerations.stream().anyMatch(one -> one.tolerates(taint));
  }

  private static Optional<List<Term>> affinity(@Nullable V1Affinity affinity) {
    return Optional.ofNullable(affinity)
        .map(V1Affinity::getNodeAffinity)
        .map(V1NodeAffinity::getRequiredDuringSchedulingIgnoredDuringExecution)
        .map(V1NodeSelector::getNodeSelectorTerms)
        .map(terms -> terms.stream().map(Constraints::term).toList());
  }

  private static Term term(V1NodeSelectorTerm term) {
    return new Term(requirements(term.getMatchExpressions()), requirements(term.getMatchFields()));
  }

  private static List<Requirement> requirements(
      @Nullable List<V1NodeSelectorRequirement> requirements) {
    return Objects.requireNonNullElse(requirements, List.<V1NodeSelectorRequirement>of()).stream()
        .map(
            one ->
                new Requirement(
                    Objects.requireNonNullElse(one.getKey(), ""),
                    Objects.requireNonNullElse(one.getOperator(), ""),
                    Objects.requireNonNullElse(one.getValues(), List.of())))
        .toList();
  }

  private static Set<Toleration> tolerations(@Nullable List<V1Toleration> tolerations) {
    Set<Toleration> ours = new HashSet<>();
    for (V1Toleration one : Objects.requireNonNullElse(tolerations, List.<V1Toleration>of())) {
      ours.add(
          new Toleration(
              Objects.requireNonNullElse(one.getKey(), ""),
              Objects.requireNonNullElse(one.getOperator(), "Equal"),
              Objects.requireNonNullElse(one.getValue(), ""),
              Objects.requireNonNullElse(one.getEffect(), "")));
    }
    return ours;
  }
}
