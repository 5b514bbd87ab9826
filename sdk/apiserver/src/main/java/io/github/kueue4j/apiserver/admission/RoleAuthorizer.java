// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.admission;

import io.github.kueue4j.apiserver.access.RoleBasedAccess;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.apiserver.cel.RequestAuthorizer;
import io.github.kueue4j.apiserver.traffic.ApiRequest;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Answers the {@code authorizer} of a policy's expressions by the roles of a user.
 *
 * <p>An answer costs 350,000 of the 1,000,000 that an expression may cost. Source: PerCallLimit and
 * the authorizer library in k8s.io/apiserver/pkg/cel.
 *
 * @param asked questions of the expression that is evaluated now
 */
record RoleAuthorizer(RoleBasedAccess access, User user, AtomicInteger asked)
    implements RequestAuthorizer {
  private static final int ANSWERS = 2;

  RoleAuthorizer(RoleBasedAccess access, User user) {
    this(access, user, new AtomicInteger());
  }

  /** An expression's evaluation begins. */
  void begin() {
    asked.set(0);
  }

  /** Whether the expression asked more than it may. */
  boolean isOverLimit() {
    return asked.get() > ANSWERS;
  }

  @Override
  public boolean allows(Question question) {
    asked.incrementAndGet();
    return access.allows(
        user,
        new ApiRequest(
            question.verb(),
            question.path(),
            question.path().isEmpty()
                ? new ApiRequest.ResourceAttributes(
                    question.group(),
                    "",
                    question.resource(),
                    question.subresource(),
                    question.namespace(),
                    question.name())
                : null,
            ""));
  }

  @Override
  public RequestAuthorizer serviceAccount(String namespace, String name) {
    return new RoleAuthorizer(access, User.serviceAccount(namespace, name), asked);
  }
}
