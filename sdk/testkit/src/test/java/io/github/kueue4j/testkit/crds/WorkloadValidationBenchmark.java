// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.crds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.patch.Patches;
import io.github.kueue4j.apiserver.schema.CompiledSchema;
import java.util.function.Supplier;

/**
 * Prints what a status update of a Workload costs in the pure functions behind the server, in
 * nanoseconds per call. Run its main method; it is no test, since times depend on the machine.
 */
final class WorkloadValidationBenchmark {

  private static final int WARM_UP_ROUNDS = 5;
  private static final int ROUNDS = 5;
  private static final long ROUND_NANOS = 1_000_000_000L;

  private static final String WORKLOAD =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Workload
      metadata: {name: job-sample-1, namespace: default, uid: u, resourceVersion: '12'}
      spec:
        queueName: user-queue
        priority: 0
        priorityClassRef: {group: kueue.x-k8s.io, kind: WorkloadPriorityClass, name: high}
        podSets:
        - name: main
          count: 3
          template:
            metadata: {labels: {app: sample}}
            spec:
              restartPolicy: Never
              nodeSelector: {gpu: a100}
              tolerations: [{key: gpu, operator: Exists, effect: NoSchedule}]
              containers:
              - {name: c, image: busybox, command: [sleep, '30'], resources: {requests: {cpu: '1', memory: 1Gi}}}
      status:
        admission:
          clusterQueue: cq
          podSetAssignments:
          - {name: main, count: 3, flavors: {cpu: default, memory: default}, resourceUsage: {cpu: '3', memory: 3Gi}}
        conditions:
        - {type: QuotaReserved, status: 'True', reason: QuotaReserved, message: Quota reserved, lastTransitionTime: '2026-01-01T00:00:00Z'}
        - {type: Evicted, status: 'False', reason: QuotaReserved, message: '', lastTransitionTime: '2026-01-01T00:00:00Z'}
        admissionChecks:
        - {name: budget, state: Ready, message: fine, lastTransitionTime: '2026-01-01T00:00:10Z'}
        - {name: gpu, state: Pending, message: '', lastTransitionTime: '2026-01-01T00:00:00Z', retryCount: 2}
      """;

  private WorkloadValidationBenchmark() {}

  /** Prints one line per step. */
  public static void main(String[] arguments) {
    CompiledSchema schema = KueueCrds.compiled("Workload");
    ObjectNode old = schema.applyDefaults(Yaml.object(WORKLOAD));
    ObjectNode patch =
        Yaml.object(
            """
            status:
              conditions:
              - {type: QuotaReserved, status: 'True', reason: QuotaReserved, message: Quota reserved, lastTransitionTime: '2026-01-01T00:00:00Z'}
              - {type: Admitted, status: 'True', reason: Admitted, message: Admitted, lastTransitionTime: '2026-01-01T00:01:00Z'}
            """);
    ObjectNode operations =
        Yaml.object(
            """
            list:
            - {op: replace, path: /metadata/resourceVersion, value: '12'}
            - {op: replace, path: /status/admissionChecks/1/state, value: Ready}
            - {op: add, path: /status/conditions/-, value: {type: Admitted, status: 'True', reason: Admitted, message: '', lastTransitionTime: '2026-01-01T00:01:00Z'}}
            """);
    ObjectNode sharing = Patches.mergePatch(old, patch);
    ObjectNode copied = sharing.deepCopy();

    measure("merge patch", () -> Patches.mergePatch(old, patch));
    measure("JSON patch", () -> Patches.jsonPatch(old, operations.path("list")));
    measure("prune", () -> schema.prune(copied));
    measure("default", () -> schema.applyDefaults(copied));
    measure("validate, spec shared with the old object", () -> schema.validate(sharing, old));
    measure("validate, nothing shared", () -> schema.validate(copied, old));
    measure("validate, create", () -> schema.validate(copied, null));
  }

  private static void measure(String step, Supplier<Object> call) {
    for (int i = 0; i < WARM_UP_ROUNDS; i++) {
      round(call);
    }
    double best = Double.MAX_VALUE;
    for (int i = 0; i < ROUNDS; i++) {
      best = Math.min(best, round(call));
    }
    System.out.printf("%-45s %,10.0f ns/op%n", step, best);
  }

  private static double round(Supplier<Object> call) {
    long calls = 0;
    int sink = 0;
    long start = System.nanoTime();
    long elapsed = 0;
    while (elapsed < ROUND_NANOS) {
      for (int i = 0; i < 50; i++) {
        sink += System.identityHashCode(call.get());
      }
      calls += 50;
      elapsed = System.nanoTime() - start;
    }
    if (sink == 42) {
      System.out.println("never mind");
    }
    return (double) elapsed / calls;
  }
}
