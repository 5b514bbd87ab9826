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
package io.github.kueue4j.runtime;

import io.github.kueue4j.api.ObjectKey;
import org.apiguardian.api.API;

/**
 * Brings one object from its state to the wished one.
 *
 * <p>Called with one key at a time: never twice at once for the same key. Level-triggered: several
 * changes may arrive as one call.
 */
@FunctionalInterface
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Reconciler {

  /**
   * Reconciles one object, which may be gone.
   *
   * @return when to look again without a change
   * @throws Exception any failure: the key is tried again with exponential error backoff. A {@link
   *     KubernetesApiException.Conflict} is tried again the same way but not logged as an error
   */
  Requeue reconcile(ObjectKey key) throws Exception;
}
