// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.ResourceType;
import io.kubernetes.client.common.KubernetesObject;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The statements of a Job about itself that its owner can confirm or deny. An owner reference alone
 * proves nothing: the creator of a Job writes it.
 *
 * @param type its kind
 * @param podSets its pods
 * @param sound false if not all of its pods may be among these, so that no owner can confirm it
 */
@API(status = API.Status.INTERNAL)
public record ChildJob(ResourceType<?> type, String name, List<PodSet> podSets, boolean sound) {
  public ChildJob {
    podSets = List.copyOf(podSets);
  }

  /** A Job of this kind. */
  public static <T extends KubernetesObject> ChildJob of(JobKind<T> kind, T job) {
    return new ChildJob(
        kind.type(), ObjectKey.of(job).name(), kind.podSets(job), kind.refusal(job).isEmpty());
  }
}
