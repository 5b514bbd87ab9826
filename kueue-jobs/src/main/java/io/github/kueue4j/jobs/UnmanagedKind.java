// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.ResourceType;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A kind that configurations of other implementations name and no {@link JobKind} is for. Such an
 * object may name a queue, which then has no effect.
 *
 * @param framework the name in {@code integrations.frameworks}
 * @param type the resource type; of the objects only the metadata are read
 * @param instead what waits for quota in its place, as a sentence
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public record UnmanagedKind(
    String framework, ResourceType<CustomResource<UnmanagedKind.Unread>> type, String instead) {
  /** A spec of which nothing is read. */
  public record Unread() {}

  public static final List<UnmanagedKind> ALL =
      List.of(
          new UnmanagedKind(
              "sparkoperator.k8s.io/sparkapplication",
              ResourceType.namespaced(
                  "sparkoperator.k8s.io/v1beta2", "SparkApplication", Unread.class),
              "Take the label away, and write it into spec.driver.labels and"
                  + " spec.executor.labels: its pods then wait for quota, with the framework pod."));
}
