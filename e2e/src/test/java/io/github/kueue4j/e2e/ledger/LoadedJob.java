// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.ledger;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.e2e.torture.PlayedJobController;
import java.time.Duration;

/**
 * A Job of the load.
 *
 * @param pods of one CPU each
 * @param limit its maximum execution time
 * @param runtime how long its pods would run
 */
record LoadedJob(
    ObjectKey key, String queue, int pods, Duration limit, Duration runtime, boolean urgent) {

  String yaml() {
    return """
    apiVersion: batch/v1
    kind: Job
    metadata:
      name: %s
      namespace: %s
      labels:
        kueue.x-k8s.io/queue-name: %s
        kueue.x-k8s.io/max-exec-time-seconds: "%d"
        %s
      annotations: {%s: %ds}
    spec:
      suspend: true
      managedBy: %s
      parallelism: %d
      completions: %d
      template:
        spec:
          restartPolicy: Never
          containers: [{name: main, image: example.invalid/main, resources: {requests: {cpu: 1}}}]
    """
        .formatted(
            key.name(),
            key.namespace(),
            queue,
            limit.toSeconds(),
            urgent ? "kueue.x-k8s.io/priority-class: urgent" : "",
            LedgerWorld.RUNTIME,
            runtime.toSeconds(),
            PlayedJobController.NAME,
            pods,
            pods);
  }
}
