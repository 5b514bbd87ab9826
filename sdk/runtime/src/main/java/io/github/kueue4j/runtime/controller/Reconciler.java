// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import io.github.kueue4j.api.ObjectKey;
import org.apiguardian.api.API;

/**
 * Brings one object from its actual state to the desired one.
 *
 * <p>Never called concurrently for the same key. Level-triggered: several changes may result in one
 * call.
 */
@FunctionalInterface
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Reconciler {

  /**
   * Reconciles one object, which may have been deleted.
   *
   * @return when to reconcile again if nothing changes
   * @throws Exception any failure: the key is retried with exponential error backoff. A {@link
   *     io.github.kueue4j.runtime.client.KubernetesApiException.Conflict} is retried likewise but
   *     not logged as an error
   */
  Requeue reconcile(ObjectKey key) throws Exception;
}
