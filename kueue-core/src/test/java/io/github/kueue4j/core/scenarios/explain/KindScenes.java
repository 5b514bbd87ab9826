/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.scenarios.explain;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.core.explain.Party;
import io.github.kueue4j.core.explain.Reason;
import io.github.kueue4j.core.job.JobSet;
import io.github.kueue4j.core.testing.JobSetCrd;
import io.github.kueue4j.core.testing.TestCluster;
import java.time.Duration;
import java.util.List;

/** JobSets, Jobs that belong to them, and Jobs that name their Workload themselves. */
final class KindScenes {
  private static final String JOB_SETS =
      "integrations: {frameworks: [batch/job, jobset.x-k8s.io/jobset]}";

  private KindScenes() {}

  static List<Scene> all() {
    return List.of(
        Scene.of(
                "a JobSet that asks for too much",
                "jobset/set",
                cluster -> {
                  start(cluster, JOB_SETS);
                  jobSet(cluster, 2);
                })
            .shows(Reason.EXCEEDS_QUOTA, Party.WORKLOAD_OWNER, "2"),
        Scene.of(
                "a JobSet by its bare name",
                "set",
                cluster -> {
                  start(cluster, JOB_SETS);
                  jobSet(cluster, 2);
                })
            .shows(Reason.EXCEEDS_QUOTA, Party.WORKLOAD_OWNER, "2"),
        Scene.of(
                "a Job of a JobSet waits for what the JobSet waits for",
                "job/set-workers-0",
                cluster -> {
                  start(cluster, JOB_SETS);
                  jobSet(cluster, 2);
                  child(cluster);
                })
            .shows(Reason.EXCEEDS_QUOTA, Party.WORKLOAD_OWNER, "2"),
        Scene.of(
                "a JobSet while the core doesn't look after any",
                "jobset/set",
                cluster -> {
                  start(cluster, "");
                  jobSet(cluster, 1);
                  cluster.pass(Duration.ofMinutes(3));
                })
            .shows(
                Reason.WORKLOAD_NOT_CREATED,
                Party.CORE_OPERATOR,
                "The JobSet has waited",
                "the kind JobSet",
                "integrations.frameworks"),
        Scene.of(
                "a JobSet whose Jobs are not ready",
                "jobset/set",
                cluster -> {
                  start(cluster, JOB_SETS);
                  jobSet(cluster, 1);
                  cluster.awaitThat(
                      "it runs",
                      world ->
                          !Boolean.TRUE.equals(
                              world
                                  .api
                                  .get(JobSet.TYPE, TestCluster.key("set"))
                                  .orElseThrow()
                                  .spec()
                                  .suspend()));
                  World.patchStatus(
                      cluster,
                      JobSet.TYPE,
                      TestCluster.key("set"),
                      """
                      {"status": {"replicatedJobsStatus": [{"name": "workers", "active": 1,
                        "ready": 0, "succeeded": 0, "failed": 0, "suspended": 0}]}}
                      """);
                  cluster.settle();
                })
            .shows(
                Reason.PODS_NOT_READY,
                Party.WORKLOAD_OWNER,
                "its JobSet is started",
                "JobSet/team/set",
                "Jobs active 1, ready 0"),
        Scene.of(
                "a Job that names a Workload which nobody has made",
                "job/job",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  prebuilt(cluster, "job");
                  cluster.settle();
                })
            .shows(Reason.PREBUILT_WORKLOAD_MISSING, Party.WORKLOAD_OWNER, "planned", "not found"),
        Scene.of(
                "a Job that names the Workload of another one",
                "job/second",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  planned(cluster);
                  prebuilt(cluster, "first");
                  cluster.awaitThat(
                      "the first one has it",
                      world ->
                          world
                                  .api
                                  .get(KueueTypes.WORKLOAD, TestCluster.key("planned"))
                                  .orElseThrow()
                                  .metadata()
                                  .getOwnerReferences()
                              != null);
                  prebuilt(cluster, "second");
                  cluster.settle();
                })
            .shows(
                Reason.WORKLOAD_OF_ANOTHER,
                Party.WORKLOAD_OWNER,
                "planned",
                "belongs to Job first"),
        Scene.of(
                "a Job that runs on the Workload that it names",
                "job/job",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  planned(cluster);
                  prebuilt(cluster, "job");
                  cluster.awaitSuspended("job", false);
                  cluster.podsRun("job");
                  cluster.settle();
                })
            .shows(Reason.RUNNING, Party.NOBODY, "Workload/team/planned", "active 1"));
  }

  private static void start(TestCluster cluster, String configuration) {
    JobSetCrd.install(cluster);
    cluster.queue("", "default=1");
    cluster.startCore(configuration);
  }

  private static void jobSet(TestCluster cluster, int cpus) {
    cluster.apply(
        """
        apiVersion: jobset.x-k8s.io/v1alpha2
        kind: JobSet
        metadata: {name: set, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}}
        spec:
          suspend: true
          replicatedJobs:
          - name: workers
            template: {spec: {template: {spec: {restartPolicy: Never, containers:
              [{name: main, image: busybox, resources: {requests: {cpu: %d}}}]}}}}
        """
            .formatted(cpus));
  }

  /** The Job that the JobSet's own controller makes. */
  private static void child(TestCluster cluster) {
    String uid =
        cluster.api.get(JobSet.TYPE, TestCluster.key("set")).orElseThrow().metadata().getUid();
    cluster.apply(
        """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: set-workers-0
          namespace: team
          ownerReferences: [{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: set,
            uid: %s, controller: true}]
        spec:
          suspend: true
          template:
            spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}
        """
            .formatted(uid));
  }

  private static void prebuilt(TestCluster cluster, String job) {
    cluster.apply(
        """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: %s
          namespace: team
          labels:
            kueue.x-k8s.io/queue-name: lq
            kueue.x-k8s.io/prebuilt-workload-name: planned
        spec:
          suspend: true
          template:
            spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
              resources: {requests: {cpu: 1}}}]}
        """
            .formatted(job));
  }

  private static void planned(TestCluster cluster) {
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: planned, namespace: team}
        spec:
          queueName: lq
          podSets:
          - name: main
            count: 1
            template: {spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
              resources: {requests: {cpu: 1}}}]}}
        """);
  }
}
