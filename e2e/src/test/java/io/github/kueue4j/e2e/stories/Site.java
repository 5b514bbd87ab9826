// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.stories;

import io.github.kueue4j.e2e.cluster.ClusterWait;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Where stories are told: a cluster with the core and three checks, in which Jobs get pods. */
interface Site extends AutoCloseable {
  /** What the core waits for until a Workload's pods are ready. */
  Duration PODS_READY = Duration.ofSeconds(30);

  /** What the core waits for after a stopped pod's grace period if its node is lost. */
  Duration LOST_NODE = Duration.ofSeconds(20);

  /** What all sites set of the core's configuration, besides what is theirs. */
  String SETTINGS =
      """
      waitForPodsReady:
        timeout: %ds
        blockAdmission: false
        requeuingStrategy: {backoffLimitCount: 1, backoffBaseSeconds: 3}
      kueue4j: {quotaRelease: {lostNodeTimeout: %ds}}
      """
          .formatted(PODS_READY.toSeconds(), LOST_NODE.toSeconds());

  /** With the rights of an administrator. */
  Path kubeconfig();

  /** The cluster's time. */
  Instant now();

  /** How long a story waits for one thing, in real time. */
  Duration patience();

  /**
   * Waits for a state that stays once it is reached: lets time pass, where time is the site's. All
   * else that a story does and waits for takes its time, so that nothing that passes is missed.
   */
  default ClusterWait skipping(ClusterWait wait) {
    return wait;
  }

  /** The image of Jobs' pods; it has a shell. */
  String image();

  /** The URL of a {@link Gate} that the http check reaches. */
  String gate();

  /** Kills the core in the middle of its work; another one takes over. */
  void killCore() throws InterruptedException;

  /** A way to have a node lost, where that is possible. */
  Optional<LossOfNode> lossOfNode();

  /** Ends what was started, and removes what was made. */
  @Override
  void close();

  /** A node that goes and comes back. */
  interface LossOfNode {
    /** The node's name; the core and the checks don't run on it. */
    String node();

    /** Its kubelet stops; the node isn't ready soon after. */
    void lose();

    /** Its kubelet starts again. */
    void bringBack();
  }
}
