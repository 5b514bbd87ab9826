// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http.prometheus;

import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * The placeholders that a {@link QueryTemplate} may leave open, written as {@code {{name}}}.
 *
 * @see QueryValues
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Placeholder {
  /** The namespace of the Workload. */
  NAMESPACE("namespace", Position.TEXT),
  /** The name of the Workload. */
  WORKLOAD("workload", Position.TEXT),
  /** The name of the LocalQueue that the Workload was submitted to. */
  QUEUE("queue", Position.TEXT),
  /** The name of the ClusterQueue whose quota is reserved. */
  CLUSTER_QUEUE("clusterQueue", Position.TEXT),
  /** The names of the ResourceFlavors whose quota is reserved; several are alternatives. */
  FLAVOR("flavor", Position.TEXTS),
  /** How far back the query looks, such as the time since a budget's last refill. */
  WINDOW("window", Position.DURATION),
  /** The priority of the Workload. */
  PRIORITY("priority", Position.NUMBER),
  /** How many pods would start. */
  PODS("pods", Position.NUMBER),
  /**
   * How much of a resource all pods ask for together, in units of the resource, 0 if none: {@code
   * {{requests.cpu}}}, {@code {{requests.nvidia.com/gpu}}}.
   */
  REQUESTS("requests.", Position.NUMBER);

  /** Where a placeholder may stand. */
  enum Position {
    /** One text: in a label matcher. */
    TEXT,
    /** One text or more: in a label matcher with a regular expression. */
    TEXTS,
    /** A number: anywhere but in a string. */
    NUMBER,
    /** A duration: anywhere but in a string. */
    DURATION
  }

  private final String text;
  private final Position position;

  Placeholder(String text, Position position) {
    this.text = text;
    this.position = position;
  }

  Position position() {
    return position;
  }

  /** The one that is written with this name, braces left out. */
  static Optional<Placeholder> named(String name) {
    return Arrays.stream(values())
        .filter(
            one ->
                one == REQUESTS
                    ? name.startsWith(one.text) && name.length() > one.text.length()
                    : name.equals(one.text))
        .findFirst();
  }

  /** The resource that follows {@code requests.}. */
  static String resource(String name) {
    return name.substring(REQUESTS.text.length());
  }

  /** For messages. */
  static String list(Collection<Placeholder> placeholders) {
    return placeholders.stream()
        .sorted()
        .map(Placeholder::toString)
        .collect(Collectors.joining(", "));
  }

  /** As it is written in a query, {@code {{namespace}}}. */
  @Override
  public String toString() {
    return "{{" + text + (this == REQUESTS ? "RESOURCE" : "") + "}}";
  }
}
