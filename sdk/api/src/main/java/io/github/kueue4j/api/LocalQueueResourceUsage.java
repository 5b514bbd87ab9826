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
 * The use of one resource on one flavor through a LocalQueue.
 *
 * @param name the resource
 * @param total all in use
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LocalQueueResourceUsage(@Required String name, @Nullable Quantity total) {
  public LocalQueueResourceUsage {
    name = Lenient.text(name);
  }

  /** A copy with another {@code name}. */
  public LocalQueueResourceUsage withName(String name) {
    return new LocalQueueResourceUsage(name, total);
  }

  /** A copy with another {@code total}. */
  public LocalQueueResourceUsage withTotal(@Nullable Quantity total) {
    return new LocalQueueResourceUsage(name, total);
  }
}
