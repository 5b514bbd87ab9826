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
package io.github.kueue4j.core.report;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.cache.FreshCache;
import io.github.kueue4j.runtime.GuardedPatch;
import io.github.kueue4j.runtime.KubernetesApiException;
import io.kubernetes.client.common.KubernetesObject;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Writes the statuses of one kind, and only what changed of them. */
final class StatusWriter<T extends KubernetesObject> {
  private static final int TRIES = 5;

  private final FreshCache<T> cache;
  private final Function<GuardedPatch<T>, T> send;

  StatusWriter(FreshCache<T> cache, Function<GuardedPatch<T>, T> send) {
    this.cache = cache;
    this.send = send;
  }

  /**
   * Gives an object the status that it shall have; there is nothing to do if it is gone.
   *
   * @param desired the object with that status
   * @return whether it took a write
   * @throws KubernetesApiException.Conflict if others write faster than this can; try again later
   */
  boolean write(ObjectKey key, UnaryOperator<T> desired) {
    Optional<T> object = cache.get(key);
    KubernetesApiException.@Nullable Conflict conflict = null;
    for (int attempt = 0; attempt < TRIES && object.isPresent(); attempt++) {
      GuardedPatch<T> patch = GuardedPatch.ofStatus(object.get(), desired.apply(object.get()));
      if (patch.isEmpty()) {
        return false;
      }
      try {
        cache.saw(send.apply(patch));
        return true;
      } catch (KubernetesApiException.NotFound e) {
        object = cache.live(key);
      } catch (KubernetesApiException.Conflict e) {
        conflict = e;
        object = cache.live(key);
      }
    }
    if (object.isPresent() && conflict != null) {
      throw conflict;
    }
    return false;
  }
}
