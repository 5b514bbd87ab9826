// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.access;

import io.github.kueue4j.apiserver.traffic.ApiRequest;
import org.apiguardian.api.API;

/**
 * A rule that is in force for a user.
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
