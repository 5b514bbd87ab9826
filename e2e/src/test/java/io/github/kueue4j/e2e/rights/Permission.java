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
package io.github.kueue4j.e2e.rights;

import io.github.kueue4j.testkit.access.Grant;
import io.github.kueue4j.testkit.traffic.ApiRequest;
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
