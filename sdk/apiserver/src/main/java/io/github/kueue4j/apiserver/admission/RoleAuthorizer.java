// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.admission;

import io.github.kueue4j.apiserver.access.RoleBasedAccess;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.apiserver.cel.RequestAuthorizer;
import io.github.kueue4j.apiserver.traffic.ApiRequest;

/** Answers the {@code authorizer} of a policy's expressions by the roles of a user. */
record RoleAuthorizer(RoleBasedAccess access, User user) implements RequestAuthorizer {
  @Override
  public boolean allows(Question question) {
    return access.allows(
        user,
        new ApiRequest(
            question.verb(),
            question.path(),
            question.path().isEmpty(),
            question.group(),
            "",
            question.resource(),
            question.subresource(),
            question.namespace(),
            question.name(),
            ""));
  }

  @Override
  public RequestAuthorizer serviceAccount(String namespace, String name) {
    return new RoleAuthorizer(access, User.serviceAccount(namespace, name));
  }
}
