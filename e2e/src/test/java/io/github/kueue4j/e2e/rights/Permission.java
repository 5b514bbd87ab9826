// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.rights;

import io.github.kueue4j.apiserver.access.Grant;
import io.github.kueue4j.apiserver.traffic.ApiRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * One verb on one kind of object: what a rule consists of.
 *
 * @param resource with {@code /SUBRESOURCE} for a subresource
 */
record Permission(String verb, String group, String resource) {

  static Permission of(ApiRequest request) {
    return new Permission(
        request.verb(),
        request.group(),
        request.subresource().isEmpty()
            ? request.resource()
            : request.resource() + "/" + request.subresource());
  }

  /** Every single permission in a rule; rules with asterisks count as one each. */
  static List<Permission> in(Grant grant) {
    List<Permission> all = new ArrayList<>();
    for (String group : grant.rule().groups()) {
      for (String resource : grant.rule().resources()) {
        for (String verb : grant.rule().verbs()) {
          all.add(new Permission(verb, group, resource));
        }
      }
    }
    return all;
  }

  @Override
  public String toString() {
    return verb + " " + (group.isEmpty() ? "" : group + "/") + resource;
  }
}
