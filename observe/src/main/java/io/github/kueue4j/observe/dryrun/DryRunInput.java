// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.kubernetes.client.openapi.models.V1Lease;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The input of {@link DryRun}: the objects to try, and those of the cluster that decide about them,
 * as read at one time.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DryRunInput {
  private final List<Manifest> manifests;
  private final Map<Manifest, KubernetesApiException> refusals;
  private final ReadObjects objects;
  private final @Nullable Configuration configuration;
  private final @Nullable V1Lease lease;

  /**
   * The input.
   *
   * @param refusals what the API server answered where it would not create a manifest
   * @param configuration of the core; null if unknown
   * @param lease of the core's leader election; null if there is none or it may not be read
   */
  DryRunInput(
      List<Manifest> manifests,
      Map<Manifest, KubernetesApiException> refusals,
      ReadObjects objects,
      @Nullable Configuration configuration,
      @Nullable V1Lease lease) {
    this.manifests = List.copyOf(manifests);
    this.refusals = Map.copyOf(refusals);
    this.objects = objects;
    this.configuration = configuration;
    this.lease = lease;
  }

  /** The input of a dry run without manifests, among objects that are known otherwise. */
  @API(status = API.Status.INTERNAL)
  public static DryRunInput of(ReadObjects objects, Configuration configuration) {
    return new DryRunInput(List.of(), Map.of(), objects, configuration, null);
  }

  /**
   * The same if a ClusterQueue had another nominal quota.
   *
   * @param path {@code CLUSTERQUEUE/RESOURCE}, or {@code CLUSTERQUEUE/FLAVOR/RESOURCE} where
   *     several flavors have the resource
   * @param amount such as {@code 40} or {@code 64Gi}
   * @throws IllegalArgumentException if there is no such quota, or several, or the amount is none
   */
  public DryRunInput withQuota(String path, String amount) {
    ReadObjects changed = new ReadObjects(objects);
    new ChangedQueues(changed).quota(path, amount);
    return among(changed);
  }

  /**
   * The same if no ClusterQueue required a check.
   *
   * @throws IllegalArgumentException if none does
   */
  public DryRunInput withoutCheck(String name) {
    ReadObjects changed = new ReadObjects(objects);
    new ChangedQueues(changed).withoutCheck(name);
    return among(changed);
  }

  /** The same among other objects. */
  @API(status = API.Status.INTERNAL)
  public DryRunInput among(ReadObjects others) {
    return new DryRunInput(manifests, refusals, others, configuration, lease);
  }

  List<Manifest> manifests() {
    return manifests;
  }

  /** The answer of the API server if it would not create this object. */
  Optional<KubernetesApiException> refusal(Manifest manifest) {
    return Optional.ofNullable(refusals.get(manifest));
  }

  /** The objects of the cluster. */
  @API(status = API.Status.INTERNAL)
  public ReadObjects objects() {
    return objects;
  }

  @Nullable Configuration configuration() {
    return configuration;
  }

  @Nullable V1Lease lease() {
    return lease;
  }
}
