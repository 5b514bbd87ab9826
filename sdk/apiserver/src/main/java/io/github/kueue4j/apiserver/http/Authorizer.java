// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.kueue4j.apiserver.access.Identification;
import io.github.kueue4j.apiserver.access.RoleBasedAccess;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.apiserver.status.ApiErrors;
import io.github.kueue4j.apiserver.store.Derived;
import io.github.kueue4j.apiserver.store.KindStore;
import io.github.kueue4j.apiserver.store.ObjectStore;
import io.github.kueue4j.apiserver.store.StoredObject;
import io.github.kueue4j.apiserver.traffic.ApiRequest;
import java.util.ArrayList;
import java.util.List;

/** Lets requests to the secure port through that their user's roles allow. */
final class Authorizer {
  private static final String GROUP = "rbac.authorization.k8s.io/";

  private final Identification identification;
  private final Derived<RoleBasedAccess> access;

  Authorizer(ObjectStore store, Identification identification) {
    this.identification = identification;
    this.access = new Derived<>(store, kind -> kind.startsWith(GROUP), () -> stored(store));
  }

  /**
   * Refuses a request whose sender can't be identified or may not make it.
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
    return access.get();
  }

  private static RoleBasedAccess stored(ObjectStore store) {
    List<JsonNode> objects = new ArrayList<>();
    for (KindStore kind : store.kinds()) {
      if (kind.name().startsWith(GROUP)) {
        kind.snapshot("").objects().stream().map(StoredObject::tree).forEach(objects::add);
      }
    }
    return RoleBasedAccess.of(objects);
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
