// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu.fit;

import org.apiguardian.api.API;

/**
 * Equal pods.
 *
 * @param name of the pod set
 * @param needs of each pod
 * @param count how many; 0 or more
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record PodGroup(String name, PodNeeds needs, int count) {

  /** As many pods with other needs. */
  public PodGroup withNeeds(PodNeeds other) {
    return new PodGroup(name, other, count);
  }

  /** The same pods in another number. */
  public PodGroup withCount(int other) {
    return new PodGroup(name, needs, other);
  }
}
