// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadStatus;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.List;
import java.util.Objects;

/** What a cluster has lost when the restoration begins. */
enum Loss {
  /** The Workloads were written back from a manifest. */
  STATUSES {
    @Override
    void happen(KubernetesApi api) {
      for (Workload each : workloads(api)) {
        api.patchStatus(
            KueueTypes.WORKLOAD,
            GuardedPatch.ofStatus(each, each.withStatus(WorkloadStatus.empty())));
      }
    }
  },
  /** The definition of Workloads was deleted, and they with it. */
  WORKLOADS {
    @Override
    void happen(KubernetesApi api) {
      workloads(api).forEach(each -> remove(api, each));
    }
  },
  /** Another cluster has got the Jobs from a tool: with other uids, and without statuses. */
  UIDS {
    @Override
    void happen(KubernetesApi api) {
      WORKLOADS.happen(api);
      for (V1Job job : api.list(CoreTypes.JOB, ListOptions.inNamespace("ml")).items()) {
        api.delete(CoreTypes.JOB, ObjectKey.of(job), DeleteOptions.background());
        api.create(CoreTypes.JOB, anew(job));
      }
    }
  },
  /** The tool has restored the Workloads, too: they belong to Jobs that are gone. */
  UIDS_OF_WORKLOADS_TOO {
    @Override
    void happen(KubernetesApi api) {
      List<Workload> kept = workloads(api);
      UIDS.happen(api);
      for (Workload each : kept) {
        V1ObjectMeta metadata = each.metadata().uid(null).resourceVersion(null);
        api.create(
            KueueTypes.WORKLOAD, each.withMetadata(metadata).withStatus(WorkloadStatus.empty()));
      }
    }
  };

  abstract void happen(KubernetesApi api);

  private static List<Workload> workloads(KubernetesApi api) {
    return api.list(KueueTypes.WORKLOAD, ListOptions.inNamespace("ml")).items();
  }

  private static void remove(KubernetesApi api, Workload workload) {
    V1ObjectMeta unprotected =
        new V1ObjectMeta()
            .labels(workload.metadata().getLabels())
            .annotations(workload.metadata().getAnnotations())
            .ownerReferences(workload.metadata().getOwnerReferences());
    api.patch(
        KueueTypes.WORKLOAD,
        GuardedPatch.between(
            workload,
            workload.withMetadata(
                unprotected
                    .namespace(workload.metadata().getNamespace())
                    .name(workload.metadata().getName()))));
    api.delete(KueueTypes.WORKLOAD, ObjectKey.of(workload), DeleteOptions.background());
  }

  /** The Job as tools create it from a backup: what names the old uid is left out. */
  private static V1Job anew(V1Job job) {
    List<String> own = List.of("controller-uid", "batch.kubernetes.io/controller-uid");
    Objects.requireNonNull(job.getMetadata())
        .uid(null)
        .resourceVersion(null)
        .creationTimestamp(null);
    job.getSpec().setSelector(null);
    V1ObjectMeta pods = job.getSpec().getTemplate().getMetadata();
    if (pods != null && pods.getLabels() != null) {
      pods.getLabels().keySet().removeAll(own);
    }
    job.setStatus(null);
    return job;
  }
}
