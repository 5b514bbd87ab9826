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

import java.util.Map;
import org.apiguardian.api.API;

/**
 * What one pod set asks for, shown while nothing is reserved.
 *
 * @param name the pod set
 * @param resources resource name to the total for all its pods
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PodSetRequest(@Required String name, Map<String, Quantity> resources) {
  public PodSetRequest {
    name = Lenient.text(name);
    resources = Lenient.map(resources);
  }

  /** A copy with another {@code name}. */
  public PodSetRequest withName(String name) {
    return new PodSetRequest(name, resources);
  }

  /** A copy with another {@code resources}. */
  public PodSetRequest withResources(Map<String, Quantity> resources) {
    return new PodSetRequest(name, resources);
  }
}
