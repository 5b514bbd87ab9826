// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu.source;

import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.gpu.fit.Constraints;
import io.github.kueue4j.gpu.fit.NodeFacts;
import io.github.kueue4j.http.HttpEndpoint;
import io.github.kueue4j.http.Unavailability;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * An HTTP server that tells which nodes of some flavors could be had. What is assigned to these
 * flavors is placed on the nodes that it offers, not on those of the cluster.
 *
 * @param endpoint is asked with GET, and answers as the guide of the check says
 * @param flavors names of ResourceFlavors, at least one
 * @param askEvery the shortest time between two requests, whether they are answered or not, 1 s to
 *     1 h; absent: 10 s
 * @param unavailable for how long a Workload keeps its quota while there is no usable answer, and
 *     gives it back; absent: as the guards say
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CapacitySource(
    HttpEndpoint endpoint,
    Set<String> flavors,
    Optional<Duration> askEvery,
    Optional<Unavailability> unavailable) {

  private static final Duration USUAL = Duration.ofSeconds(10);
  private static final Duration LONGEST = Duration.ofHours(1);

  /** Labels of offered nodes; others have none of these. */
  private static final String SOURCE = "kueue4j.io/capacity-source";

  private static final String FLAVOR = "kueue4j.io/offered-flavor";

  /**
   * Keeps a copy.
   *
   * @throws InvalidFieldException if there is no flavor, or the time is out of bounds
   */
  public CapacitySource {
    flavors = Set.copyOf(flavors);
    if (flavors.isEmpty()) {
      throw new InvalidFieldException("flavors", null, "name a ResourceFlavor");
    }
    askEvery
        .filter(time -> time.compareTo(Duration.ofSeconds(1)) < 0 || time.compareTo(LONGEST) > 0)
        .ifPresent(
            time -> {
              throw new InvalidFieldException(
                  "askEvery", time.toString(), "write a duration from 1s to 1h, such as 10s");
            });
  }

  Duration shortestInterval() {
    return askEvery.orElse(USUAL);
  }

  /** The constraints that make a pod fit on the offered nodes of the flavor, and on no others. */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public Constraints constraints(String flavor) {
    return new Constraints(
        labels(flavor),
        Optional.empty(),
        Set.of(new Constraints.Toleration(SOURCE, "Exists", "", "")));
  }

  /** Whether pods with these constraints are placed on offered nodes. */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public static boolean isOffered(Constraints constraints) {
    return isOffered(constraints.selector());
  }

  /** Whether a node with these labels is an offered one. */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public static boolean isOffered(Map<String, String> labels) {
    return labels.containsKey(SOURCE);
  }

  /** Whether this is the taint of offered nodes, which no node of the cluster has. */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public static boolean isOffered(NodeFacts.Taint taint) {
    return taint.key().equals(SOURCE);
  }

  /** The flavor of offered nodes that these constraints allow. */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public static Optional<String> flavor(Constraints constraints) {
    return Optional.ofNullable(constraints.selector().get(FLAVOR));
  }

  Map<String, String> labels(String flavor) {
    return Map.of(SOURCE, url(), FLAVOR, flavor);
  }

  /** Keeps others away: they have no toleration of it. */
  static List<NodeFacts.Taint> taints() {
    return List.of(new NodeFacts.Taint(SOURCE, "", "NoSchedule"));
  }

  /** The server; two sources with the same one offer the same nodes. */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public String url() {
    return endpoint.url().toString();
  }
}
