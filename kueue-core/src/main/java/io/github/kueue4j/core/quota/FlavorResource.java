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
package io.github.kueue4j.core.quota;

import java.util.Comparator;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * A resource of a flavor: what one number of quota stands for.
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
