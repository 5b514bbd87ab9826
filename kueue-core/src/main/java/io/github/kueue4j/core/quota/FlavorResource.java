// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.quota;

import java.util.Comparator;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * A resource of a flavor: the key of a quota.
 *
 * @param flavor name of the ResourceFlavor
 * @param resource name of the resource, such as {@code cpu}
 */
@API(status = API.Status.INTERNAL)
public record FlavorResource(String flavor, String resource) implements Comparable<FlavorResource> {
  private static final Comparator<FlavorResource> ORDER =
      Comparator.comparing(FlavorResource::flavor).thenComparing(FlavorResource::resource);

  public FlavorResource {
    Objects.requireNonNull(flavor, "flavor");
    Objects.requireNonNull(resource, "resource");
  }

  @Override
  public int compareTo(FlavorResource other) {
    return ORDER.compare(this, other);
  }
}
