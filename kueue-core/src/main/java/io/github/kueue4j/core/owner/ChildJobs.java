// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Job;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prepares the Jobs that an object has made for its start. Its own controller resumes them as they
 * are, with what an earlier start has left on them.
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
   * Takes off the children of an object what an earlier start has left on them.
   *
   * @param resumed the object as it is about to run
   * @throws KubernetesApiException.Conflict if a child was changed meanwhile
   * @throws IllegalStateException if a child still has pods, and can't be changed until they are
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
    return Metadata.owners(child).stream()
        .anyMatch(owner -> kind.ownerOfChildren(parent).equals(owner.getUid()));
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
      log.atDebug().addKeyValue("job", ObjectKey.of(child)).log("The child Job is gone");
    } catch (KubernetesApiException.Invalid e) {
      // The start goes on: its controller may still be able to resume it, and the other children
      // run.
      log.atWarn()
          .addKeyValue("job", ObjectKey.of(child))
          .addKeyValue("error", e.getMessage())
          .log("The child Job keeps what an earlier start has set on its pod template");
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
