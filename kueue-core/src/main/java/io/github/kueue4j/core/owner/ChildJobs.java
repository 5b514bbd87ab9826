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
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.cache.Uids;
import io.github.kueue4j.core.job.JobKind;
import io.github.kueue4j.runtime.GuardedPatch;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.KubernetesApiException;
import io.github.kueue4j.runtime.ListOptions;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Jobs that objects of a kind make, where their own controller resumes them with what an
 * earlier start has left on them.
 */
final class ChildJobs<T extends KubernetesObject> {
  private static final Logger log = LoggerFactory.getLogger(ChildJobs.class);

  private final JobKind<T> kind;
  private final KubernetesApi api;

  ChildJobs(JobKind<T> kind, KubernetesApi api) {
    this.kind = kind;
    this.api = api;
  }

  /**
   * Makes the children of an object fit to be resumed with it.
   *
   * @param resumed the object as it is about to run
   * @throws KubernetesApiException.Conflict one of them changes just now
   * @throws IllegalStateException one of them still has pods, and can't be changed until they are
   *     gone (KEP-5440); the status of the object, which says that there are none, lags behind
   */
  void prepare(T resumed) {
    kind.children(resumed)
        .ifPresent(
            selector ->
                api
                    .list(
                        CoreTypes.JOB,
                        ListOptions.inNamespace(ObjectKey.of(resumed).namespace())
                            .withLabelSelector(selector))
                    .items()
                    .stream()
                    .filter(child -> owns(resumed, child))
                    .forEach(child -> prepare(resumed, child)));
  }

  private boolean owns(T parent, V1Job child) {
    V1ObjectMeta metadata = Objects.requireNonNullElseGet(child.getMetadata(), V1ObjectMeta::new);
    return Objects.requireNonNullElse(metadata.getOwnerReferences(), List.<V1OwnerReference>of())
        .stream()
        .anyMatch(owner -> Uids.of(parent).equals(owner.getUid()));
  }

  private void prepare(T resumed, V1Job child) {
    try {
      V1Job before = child;
      if (kind.beforeResumption(resumed, before).isPresent()) {
        if (active(before)) {
          throw new IllegalStateException(
              "Job "
                  + ObjectKey.of(child)
                  + " still has pods of an earlier start; it is tried again");
        }
        before = notStarted(before);
      }
      Optional<V1Job> after = kind.beforeResumption(resumed, before);
      if (after.isPresent()) {
        api.patch(CoreTypes.JOB, GuardedPatch.between(before, after.get()));
      }
    } catch (KubernetesApiException.NotFound e) {
      log.atDebug().addKeyValue("job", ObjectKey.of(child)).log("child is gone");
    } catch (KubernetesApiException.Invalid e) {
      // Its controller may still make something of it, and without it nothing would run at all.
      log.atWarn()
          .addKeyValue("job", ObjectKey.of(child))
          .addKeyValue("error", e.getMessage())
          .log("a child keeps what an earlier start has left on it");
    }
  }

  private static boolean active(V1Job child) {
    return child.getStatus() != null
        && Objects.requireNonNullElse(child.getStatus().getActive(), 0) > 0;
  }

  /** The API server takes no change of the template of a Job that counts as started (KEP-2926). */
  private V1Job notStarted(V1Job child) {
    if (child.getStatus() == null || child.getStatus().getStartTime() == null) {
      return child;
    }
    V1Job reset = KueueJson.fromTree(KueueJson.toTree(child), V1Job.class);
    Objects.requireNonNull(reset.getStatus()).setStartTime(null);
    return api.patchStatus(CoreTypes.JOB, GuardedPatch.between(child, reset));
  }
}
