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
package io.github.kueue4j.testkit.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.kueue4j.testkit.access.Identification;
import io.github.kueue4j.testkit.access.RoleBasedAccess;
import io.github.kueue4j.testkit.access.User;
import io.github.kueue4j.testkit.status.ApiErrors;
import io.github.kueue4j.testkit.store.Change;
import io.github.kueue4j.testkit.store.KindStore;
import io.github.kueue4j.testkit.store.ObjectStore;
import io.github.kueue4j.testkit.store.StoredObject;
import io.github.kueue4j.testkit.traffic.ApiRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lets requests to the secure port through that their user's roles allow. */
final class Gate {
  private static final String GROUP = "rbac.authorization.k8s.io/";

  private final ObjectStore store;
  private final Identification identification;

  /** What the stored roles allow; null when they have changed since. */
  private volatile @Nullable RoleBasedAccess access;

  Gate(ObjectStore store, Identification identification) {
    this.store = store;
    this.identification = identification;
    store.observe(this::changed);
  }

  @SuppressWarnings("unused") // The shape of an observer.
  private void changed(KindStore kind, Change change) {
    if (kind.name().startsWith(GROUP)) {
      access = null;
    }
  }

  /**
   * Refuses whoever can't be identified or may not do that.
   *
   * @param authorization the request's header, empty if absent
   * @return who it is
   */
  User check(ApiRequest request, String authorization) {
    User user = identification.of(authorization).orElseThrow(ApiErrors::unauthorized);
    if (!access().allows(user, request)) {
      throw ApiErrors.notAllowed(
          request.group(), request.resource(), request.name(), refusal(user, request));
    }
    return user;
  }

  /** What the stored roles allow now. */
  RoleBasedAccess access() {
    RoleBasedAccess known = access;
    if (known == null) {
      List<JsonNode> objects = new ArrayList<>();
      for (KindStore kind : store.kinds()) {
        if (kind.name().startsWith(GROUP)) {
          kind.snapshot("").objects().stream().map(StoredObject::tree).forEach(objects::add);
        }
      }
      known = RoleBasedAccess.of(objects);
      access = known;
    }
    return known;
  }

  private static String refusal(User user, ApiRequest request) {
    String who = "User \"" + user.name() + "\" cannot " + request.verb();
    if (!request.resourceRequest()) {
      return who + " path \"" + request.path() + "\"";
    }
    String resource =
        request.subresource().isEmpty()
            ? request.resource()
            : request.resource() + "/" + request.subresource();
    return who
        + " resource \""
        + resource
        + "\" in API group \""
        + request.group()
        + "\""
        + (request.namespace().isEmpty()
            ? " at the cluster scope"
            : " in the namespace \"" + request.namespace() + "\"");
  }
}
