// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import io.github.kueue4j.runtime.client.KubernetesApi;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Reads the budgets of a cluster for the view: a check keeps them, and the core knows nothing of
 * them. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public interface BudgetReader {
  /** The reader of a cluster without any. */
  static BudgetReader none() {
    return new BudgetReader() {
      @Override
      public boolean hasAny(KubernetesApi api) {
        return false;
      }

      @Override
      public List<ShownBudget> read(KubernetesApi api, Collection<String> namespaces, Instant now) {
        return List.of();
      }
    };
  }

  /**
   * Whether the cluster has budgets.
   *
   * @throws io.github.kueue4j.runtime.client.KubernetesApiException if the server doesn't tell
   */
  boolean hasAny(KubernetesApi api);

  /**
   * The present bookings of these namespaces, by the names of the policies.
   *
   * @return empty if the cluster has no budgets
   * @throws io.github.kueue4j.runtime.client.KubernetesApiException if it can't be read
   */
  List<ShownBudget> read(KubernetesApi api, Collection<String> namespaces, Instant now);
}
