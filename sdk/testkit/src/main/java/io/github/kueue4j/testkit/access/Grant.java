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
package io.github.kueue4j.testkit.access;

import io.github.kueue4j.testkit.traffic.ApiRequest;
import org.apiguardian.api.API;

/**
 * A rule that is in force for somebody.
 *
 * @param role where it stands, such as {@code ClusterRole/view} or {@code Role/NAMESPACE/edit}
 * @param rule what it allows
 * @param namespace where it is in force, empty for everywhere
 */
@API(status = API.Status.EXPERIMENTAL)
public record Grant(String role, PolicyRule rule, String namespace) {

  /** Whether it allows this request. */
  public boolean allows(ApiRequest request) {
    boolean inForce =
        namespace.isEmpty() || (request.resourceRequest() && namespace.equals(request.namespace()));
    return inForce && rule.allows(request);
  }
}
