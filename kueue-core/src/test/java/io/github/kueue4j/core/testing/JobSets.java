// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.testing;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.jobs.JobSet;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The JobSet {@code set} of a {@link TestCluster}; the test plays the JobSet controller. */
public final class JobSets {
  /** The configuration of a core that manages Jobs and JobSets. */
  public static final String FRAMEWORKS =
      "integrations: {frameworks: [batch/job, jobset.x-k8s.io/jobset]}\n";

  public static final ObjectKey KEY = TestCluster.key("set");
  private static final String RESOURCE = "/io/github/kueue4j/core/scenarios/jobset/crd.yaml";

  private JobSets() {}

  /** Installs the CustomResourceDefinition, which comes with the JobSet controller. */
  public static void install(TestCluster cluster) {
    try (InputStream in = JobSets.class.getResourceAsStream(RESOURCE)) {
      cluster.server.applyCrds(
          List.of(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new IllegalStateException("cannot read the CustomResourceDefinition of JobSets", e);
    }
  }

  /**
   * The JobSet, for the LocalQueue {@code lq}.
   *
   * @param spec further fields of its spec, as the inside of a YAML flow mapping
   */
  public static void apply(TestCluster cluster, boolean suspend, String spec) {
    cluster.apply(
        """
        apiVersion: jobset.x-k8s.io/v1alpha2
        kind: JobSet
        metadata: {name: set, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}}
        spec: {suspend: %s, %s}
        """
            .formatted(suspend, spec));
  }

  public static JobSet read(TestCluster cluster) {
    return cluster.api.get(JobSet.TYPE, KEY).orElseThrow();
  }

  public static boolean suspended(TestCluster cluster) {
    return Boolean.TRUE.equals(read(cluster).spec().suspend());
  }

  /** The JobSet controller writes these fields of the status. */
  public static void patchStatus(TestCluster cluster, String status) {
    cluster.api.patchStatus(JobSet.TYPE, KEY, TestCluster.merge("{\"status\": " + status + "}"));
  }

  /** The status of one replicated Job. */
  public static String group(String name, int active, int ready) {
    return """
        {"name": "%s", "active": %d, "ready": %d, "succeeded": 0, "failed": 0, "suspended": 0}"""
        .formatted(name, active, ready);
  }

  /**
   * The JobSet controller creates the first Job of a group, {@code set-<group>-0}.
   *
   * @param template the template of its pods, as a YAML flow mapping
   */
  public static void createJob(
      TestCluster cluster, String group, boolean suspend, String template) {
    cluster.apply(
        """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: set-%1$s-0
          namespace: team
          labels: {jobset.sigs.k8s.io/jobset-name: set, jobset.sigs.k8s.io/replicatedjob-name: %1$s}
          ownerReferences: [{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: set,
            uid: %2$s, controller: true}]
        spec:
          suspend: %3$s
          template: %4$s
        """
            .formatted(group, read(cluster).metadata().getUid(), suspend, template));
  }
}
