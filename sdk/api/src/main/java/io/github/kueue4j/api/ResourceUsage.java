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
package io.github.kueue4j.api;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The use of one resource on one flavor.
 *
 * @param name the resource
 * @param total all in use, borrowed included
 * @param borrowed in use above the nominal quota
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ResourceUsage(
    @Required String name, @Nullable Quantity total, @Nullable Quantity borrowed) {
  public ResourceUsage {
    name = Lenient.text(name);
  }

  /** A copy with another {@code name}. */
  public ResourceUsage withName(String name) {
    return new ResourceUsage(name, total, borrowed);
  }

  /** A copy with another {@code total}. */
  public ResourceUsage withTotal(@Nullable Quantity total) {
    return new ResourceUsage(name, total, borrowed);
  }

  /** A copy with another {@code borrowed}. */
  public ResourceUsage withBorrowed(@Nullable Quantity borrowed) {
    return new ResourceUsage(name, total, borrowed);
  }
}
