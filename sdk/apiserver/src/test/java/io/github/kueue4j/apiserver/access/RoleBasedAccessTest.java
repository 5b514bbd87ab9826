// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.kueue4j.apiserver.traffic.ApiRequest;
import io.github.kueue4j.apiserver.traffic.ApiRequest.ResourceAttributes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

class RoleBasedAccessTest {
  private static final String OBJECTS =
      """
      kind: ClusterRole
      metadata: {name: reader}
      rules:
      - {apiGroups: [""], resources: [pods], verbs: [get, list]}
      - {apiGroups: [batch], resources: ["*"], verbs: [get]}
      - {nonResourceURLs: [/healthz, /apis/*], verbs: [get]}
      ---
      kind: ClusterRole
      metadata: {name: scaler}
      rules:
      - {apiGroups: ["*"], resources: ["*/scale", pods/eviction], verbs: ["*"]}
      ---
      kind: Role
      metadata: {name: one, namespace: home}
      rules:
      - {apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get], resourceNames: [mine]}
      ---
      kind: ClusterRoleBinding
      metadata: {name: readers}
      roleRef: {kind: ClusterRole, name: reader}
      subjects: [{kind: ServiceAccount, name: robot, namespace: home}]
      ---
      kind: ClusterRoleBinding
      metadata: {name: dangling}
      roleRef: {kind: ClusterRole, name: gone}
      subjects: [{kind: Group, name: "system:authenticated"}]
      ---
      kind: RoleBinding
      metadata: {name: scalers, namespace: home}
      roleRef: {kind: ClusterRole, name: scaler}
      subjects: [{kind: Group, name: "system:serviceaccounts:home"}, {kind: User, name: jane}]
      ---
      kind: RoleBinding
      metadata: {name: ones, namespace: home}
      roleRef: {kind: Role, name: one}
      subjects: [{kind: ServiceAccount, name: robot}]
      """;

  private final RoleBasedAccess access = RoleBasedAccess.of(parsed());

  @ParameterizedTest
  @CsvSource({
    "get, '', pods, '', home, x, true",
    "get, '', pods, '', '', x, true",
    "watch, '', pods, '', home, '', false",
    "get, '', pods, log, home, x, false",
    "get, '', secrets, '', home, x, false",
    "get, batch, jobs, '', away, x, true",
    "get, batch, jobs, status, away, x, true",
    "list, batch, jobs, '', away, '', false",
    "patch, apps, deployments, scale, home, x, true",
    "patch, apps, deployments, scale, away, x, false",
    "patch, apps, deployments, scale, '', x, false",
    "create, '', pods, eviction, home, x, true",
    "get, coordination.k8s.io, leases, '', home, mine, true",
    "get, coordination.k8s.io, leases, '', home, other, false",
    "get, coordination.k8s.io, leases, '', away, mine, false",
  })
  void rolesApplyWhereTheyAreBound(
      String verb,
      String group,
      String resource,
      String subresource,
      String namespace,
      String name,
      boolean allowed) {
    ApiRequest request =
        on(verb, new ResourceAttributes(group, "v1", resource, subresource, namespace, name));

    assertThat(access.allows(User.serviceAccount("home", "robot"), request)).isEqualTo(allowed);
    assertThat(access.allows(User.named("admin", "system:masters"), request)).isTrue();
    assertThat(access.allows(User.serviceAccount("away", "robot"), request)).isFalse();
  }

  @Test
  void usersAndGroupsAreBoundToo() {
    ApiRequest scale =
        on("patch", new ResourceAttributes("apps", "v1", "deployments", "scale", "home", "x"));

    assertThat(access.allows(User.named("jane"), scale)).isTrue();
    assertThat(access.allows(User.named("john"), scale)).isFalse();
    assertThat(access.allows(User.named("john", "system:serviceaccounts:home"), scale)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "get, /healthz, true",
    "post, /healthz, false",
    "get, /healthz/etcd, false",
    "get, /apis/batch/v1, true",
    "get, /metrics, false",
  })
  void pathsAreGrantedByUrl(String method, String path, boolean allowed) {
    ApiRequest request = new ApiRequest(method, path, null, "");

    assertThat(access.allows(User.serviceAccount("home", "robot"), request)).isEqualTo(allowed);
  }

  private static ApiRequest on(String verb, ResourceAttributes attributes) {
    return new ApiRequest(verb, "", attributes, "agent");
  }

  private static List<JsonNode> parsed() {
    ObjectMapper json = new ObjectMapper();
    List<JsonNode> objects = new ArrayList<>();
    for (Object each : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(OBJECTS)) {
      objects.add(json.valueToTree(each));
    }
    return objects;
  }
}
