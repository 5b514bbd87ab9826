// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.apiguardian.api.API;

/**
 * A node of the tree in which ClusterQueues share quota.
 *
 * @param metadata name, namespace, labels; treat it as read-only
 * @param spec place and own quota; empty when absent
 * @param status share; empty when absent
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Cohort(V1ObjectMeta metadata, CohortSpec spec, CohortStatus status)
    implements ApiObject {
  public Cohort {
    metadata = metadata == null ? new V1ObjectMeta() : metadata;
    spec = spec == null ? CohortSpec.empty() : spec;
    status = status == null ? CohortStatus.empty() : status;
  }

  /** A root without quota of its own. */
  public static Cohort named(String name) {
    return new Cohort(new V1ObjectMeta().name(name), CohortSpec.empty(), CohortStatus.empty());
  }

  @Override
  public ResourceType<Cohort> type() {
    return KueueTypes.COHORT;
  }

  /** A copy with another {@code metadata}. */
  public Cohort withMetadata(V1ObjectMeta metadata) {
    return new Cohort(metadata, spec, status);
  }

  /** A copy with another {@code spec}. */
  public Cohort withSpec(CohortSpec spec) {
    return new Cohort(metadata, spec, status);
  }

  /** A copy with another {@code status}. */
  public Cohort withStatus(CohortStatus status) {
    return new Cohort(metadata, spec, status);
  }
}
