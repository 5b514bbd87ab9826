// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.access;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.kueue4j.apiserver.traffic.ApiRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The access that roles and bindings of {@code rbac.authorization.k8s.io} allow, see Kubernetes'
 * page "Using RBAC Authorization". A binding to a role that doesn't exist grants nothing.
 * Immutable.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class RoleBasedAccess {
  private static final String MASTERS = "system:masters";

  /** Rules by the role's id, such as {@code Role/NAMESPACE/NAME}. */
  private final Map<String, List<PolicyRule>> roles = new HashMap<>();

  private final List<Binding> bindings = new ArrayList<>();

  /** A role given to subjects; in one namespace, or everywhere if that is empty. */
  private record Binding(String role, String namespace, JsonNode subjects) {

    boolean names(User user) {
      for (JsonNode subject : subjects) {
        String name = subject.path("name").asText();
        boolean named =
            switch (subject.path("kind").asText()) {
              case "User" -> user.name().equals(name);
              case "Group" -> user.groups().contains(name);
              case "ServiceAccount" -> {
                String home = subject.path("namespace").asText(namespace);
                yield user.name().equals("system:serviceaccount:" + home + ":" + name);
              }
              default -> false;
            };
        if (named) {
          return true;
        }
      }
      return false;
    }
  }

  private RoleBasedAccess() {}

  /** Reads roles and bindings out of these objects; others are ignored. */
  public static RoleBasedAccess of(Collection<? extends JsonNode> objects) {
    RoleBasedAccess access = new RoleBasedAccess();
    for (JsonNode object : objects) {
      String namespace = object.path("metadata").path("namespace").asText();
      String name = object.path("metadata").path("name").asText();
      switch (object.path("kind").asText()) {
        case "ClusterRole" -> access.roles.put("ClusterRole/" + name, rules(object));
        case "Role" -> access.roles.put("Role/" + namespace + "/" + name, rules(object));
        case "ClusterRoleBinding" -> access.bindings.add(binding(object, ""));
        case "RoleBinding" -> access.bindings.add(binding(object, namespace));
        default -> {
          continue;
        }
      }
    }
    return access;
  }

  private static List<PolicyRule> rules(JsonNode role) {
    List<PolicyRule> rules = new ArrayList<>();
    role.path("rules").forEach(rule -> rules.add(PolicyRule.of(rule)));
    return rules;
  }

  private static Binding binding(JsonNode object, String namespace) {
    String kind = object.path("roleRef").path("kind").asText();
    String name = object.path("roleRef").path("name").asText();
    String role = kind.equals("Role") ? "Role/" + namespace + "/" + name : kind + "/" + name;
    return new Binding(role, namespace, object.path("subjects"));
  }

  /** All rules that are in force for a user. */
  public List<Grant> grants(User user) {
    List<Grant> grants = new ArrayList<>();
    for (Binding binding : bindings) {
      if (binding.names(user)) {
        for (PolicyRule rule : roles.getOrDefault(binding.role(), List.of())) {
          grants.add(new Grant(binding.role(), rule, binding.namespace()));
        }
      }
    }
    return grants;
  }

  /** Whether a user may send a request; the group {@code system:masters} may do anything. */
  public boolean allows(User user, ApiRequest request) {
    return user.groups().contains(MASTERS)
        || grants(user).stream().anyMatch(grant -> grant.allows(request));
  }
}
