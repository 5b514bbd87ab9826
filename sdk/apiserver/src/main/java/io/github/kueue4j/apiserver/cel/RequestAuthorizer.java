// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.cel;

import org.apiguardian.api.API;

/** The variable {@code authorizer} of a policy: whether a user may send a request. Immutable. */
@API(status = API.Status.INTERNAL)
public interface RequestAuthorizer {

  /**
   * A question.
   *
   * @param path for requests that name no resource, otherwise empty
   * @param resource plural, empty for a path
   * @param namespace empty for cluster scope, and for all namespaces
   */
  record Question(
      String path,
      String group,
      String resource,
      String subresource,
      String namespace,
      String name,
      String verb) {

    static Question path(String path) {
      return new Question(path, "", "", "", "", "", "");
    }

    static Question resource(String group, String resource) {
      return new Question("", group, resource, "", "", "", "");
    }

    Question withSubresource(String wanted) {
      return new Question(path, group, resource, wanted, namespace, name, verb);
    }

    Question withNamespace(String wanted) {
      return new Question(path, group, resource, subresource, wanted, name, verb);
    }

    Question withName(String wanted) {
      return new Question(path, group, resource, subresource, namespace, wanted, verb);
    }

    Question withVerb(String wanted) {
      return new Question(path, group, resource, subresource, namespace, name, wanted);
    }
  }

  /** Whether the user may. */
  boolean allows(Question question);

  /** The same for a service account. */
  RequestAuthorizer serviceAccount(String namespace, String name);
}
