// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu.fit;

import io.kubernetes.client.openapi.models.V1Affinity;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerPort;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1LabelSelectorRequirement;
import io.kubernetes.client.openapi.models.V1PodAffinityTerm;
import io.kubernetes.client.openapi.models.V1PodAntiAffinity;
import io.kubernetes.client.openapi.models.V1PodSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The pods of a workload that must not be together: by their required podAntiAffinity, and by ports
 * of their nodes. Both are mutual, as for the scheduler.
 *
 * @param labels of the pod, which the terms of others select
 * @param apart terms of the pod's required anti-affinity
 * @param ports of the node that the pod takes
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Separation(Map<String, String> labels, List<AntiAffinity> apart, Set<Port> ports) {

  /** Any pods may be together. */
  public static final Separation NONE = new Separation(Map.of(), List.of(), Set.of());

  /** Stands for a node among the topology keys: each has its own value. */
  private static final String NODE = "";

  private static final String HOSTNAME = "kubernetes.io/hostname";

  /**
   * Pods that must be elsewhere.
   *
   * @param topologyKey label of nodes: those with the same value are one place, those without are
   *     none
   * @param selected all of these hold for the labels of such pods
   */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public record AntiAffinity(String topologyKey, List<Constraints.Requirement> selected) {
    /** Keeps a copy. */
    public AntiAffinity {
      selected = List.copyOf(selected);
    }

    boolean selects(Map<String, String> labels) {
      return selected.stream().allMatch(one -> one.holds(labels.get(one.key())));
    }
  }

  /**
   * A port of a node.
   *
   * @param address at which it is taken; empty: at all of them
   * @param protocol such as TCP
   * @param number of the port
   */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public record Port(String address, String protocol, int number) {
    boolean conflictsWith(Port other) {
      return number == other.number
          && protocol.equals(other.protocol)
          && (address.isEmpty() || other.address.isEmpty() || address.equals(other.address));
    }
  }

  /** Keeps copies. */
  public Separation {
    labels = Map.copyOf(labels);
    apart = List.copyOf(apart);
    ports = Set.copyOf(ports);
  }

  /**
   * The separation of a pod.
   *
   * @param namespace of the pod: terms for other namespaces don't concern its own workload
   * @param labels of the pod
   */
  public static Separation of(
      String namespace, Map<String, String> labels, @Nullable V1PodSpec pod) {
    return pod == null
        ? new Separation(labels, List.of(), Set.of())
        : new Separation(labels, terms(namespace, labels, pod.getAffinity()), ports(pod));
  }

  /** The same without labels, where no pod of the workload selects any. */
  public Separation withoutLabels() {
    return labels.isEmpty() ? this : new Separation(Map.of(), apart, ports);
  }

  /** Whether such pods may be together with any that say the same. */
  public boolean isNone() {
    return apart.isEmpty() && ports.isEmpty();
  }

  /**
   * The topology keys of the places that these pods must not share.
   *
   * @return empty if they may be together
   */
  Set<String> from(Separation other) {
    if (isNone() && other.isNone()) {
      return Set.of();
    }
    Set<String> keys = new HashSet<>();
    apart.stream()
        .filter(term -> term.selects(other.labels))
        .forEach(term -> keys.add(term.topologyKey));
    other.apart.stream()
        .filter(term -> term.selects(labels))
        .forEach(term -> keys.add(term.topologyKey));
    if (ports.stream().anyMatch(port -> other.ports.stream().anyMatch(port::conflictsWith))) {
      keys.add(NODE);
    }
    return keys;
  }

  /**
   * The place of a node by this key; empty if it is in none. A node without its hostname's label is
   * a simulated one, which is a place of its own all the same.
   */
  static Optional<String> place(String key, NodeFacts node) {
    return switch (key) {
      case NODE -> Optional.of(node.name());
      case HOSTNAME -> Optional.of(node.labels().getOrDefault(HOSTNAME, node.name()));
      default -> Optional.ofNullable(node.labels().get(key));
    };
  }

  private static List<AntiAffinity> terms(
      String namespace, Map<String, String> labels, @Nullable V1Affinity affinity) {
    return Optional.ofNullable(affinity)
        .map(V1Affinity::getPodAntiAffinity)
        .map(V1PodAntiAffinity::getRequiredDuringSchedulingIgnoredDuringExecution)
        .orElse(List.of())
        .stream()
        .filter(term -> term.getLabelSelector() != null && concerns(namespace, term))
        .map(term -> term(labels, term))
        .toList();
  }

  /** The labels of the namespace aren't known: a selector of namespaces may select it. */
  private static boolean concerns(String namespace, V1PodAffinityTerm term) {
    List<String> namespaces = Objects.requireNonNullElse(term.getNamespaces(), List.of());
    return term.getNamespaceSelector() != null
        || namespaces.isEmpty()
        || namespaces.contains(namespace);
  }

  private static AntiAffinity term(Map<String, String> labels, V1PodAffinityTerm term) {
    V1LabelSelector selector = Objects.requireNonNull(term.getLabelSelector());
    List<Constraints.Requirement> selected = new ArrayList<>();
    Objects.requireNonNullElse(selector.getMatchLabels(), Map.<String, String>of())
        .forEach((key, value) -> selected.add(requirement(key, "In", List.of(value))));
    for (V1LabelSelectorRequirement one :
        Objects.requireNonNullElse(
            selector.getMatchExpressions(), List.<V1LabelSelectorRequirement>of())) {
      selected.add(requirement(one.getKey(), one.getOperator(), one.getValues()));
    }
    ofSameValue(labels, term.getMatchLabelKeys(), "In", selected);
    ofSameValue(labels, term.getMismatchLabelKeys(), "NotIn", selected);
    return new AntiAffinity(Objects.requireNonNullElse(term.getTopologyKey(), ""), selected);
  }

  private static void ofSameValue(
      Map<String, String> labels,
      @Nullable List<String> keys,
      String operator,
      List<Constraints.Requirement> selected) {
    for (String key : Objects.requireNonNullElse(keys, List.<String>of())) {
      @Nullable String value = labels.get(key);
      if (value != null) {
        selected.add(requirement(key, operator, List.of(value)));
      }
    }
  }

  private static Constraints.Requirement requirement(
      @Nullable String key, @Nullable String operator, @Nullable List<String> values) {
    return new Constraints.Requirement(
        Objects.requireNonNullElse(key, ""),
        Objects.requireNonNullElse(operator, ""),
        Objects.requireNonNullElse(values, List.of()));
  }

  private static Set<Port> ports(V1PodSpec pod) {
    boolean ofNode = Boolean.TRUE.equals(pod.getHostNetwork());
    Stream<V1Container> sidecars =
        Objects.requireNonNullElse(pod.getInitContainers(), List.<V1Container>of()).stream()
            .filter(one -> "Always".equals(one.getRestartPolicy()));
    Stream<V1Container> containers =
        Objects.requireNonNullElse(pod.getContainers(), List.<V1Container>of()).stream();
    Set<Port> ports = new HashSet<>();
    Stream.concat(sidecars, containers)
        .flatMap(
            one -> Objects.requireNonNullElse(one.getPorts(), List.<V1ContainerPort>of()).stream())
        .forEach(one -> port(one, ofNode).ifPresent(ports::add));
    return ports;
  }

  /** In the network of the node, each port of the container is one of the node. */
  private static Optional<Port> port(V1ContainerPort port, boolean ofNode) {
    int written = Objects.requireNonNullElse(port.getHostPort(), 0);
    int number =
        written == 0 && ofNode ? Objects.requireNonNullElse(port.getContainerPort(), 0) : written;
    String address = Objects.requireNonNullElse(port.getHostIP(), "");
    return number == 0
        ? Optional.empty()
        : Optional.of(
            new Port(
                address.equals("0.0.0.0") ? "" : address,
                Objects.requireNonNullElse(port.getProtocol(), "TCP"),
                number));
  }
}
