// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.rbac;

import io.github.kueue4j.api.KueueTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The least permissions that a check controller needs, as roles of Kubernetes bound to a service
 * account. What every check needs is always included; add what yours reads and owns.
 *
 * <p>Resources are written as kubectl does, the plural with the group behind a dot: {@code
 * configmaps}, {@code jobs.batch}. An empty namespace means everywhere, and is right for
 * cluster-scoped kinds.
 *
 * <pre>{@code
 * String yaml =
 *     Permissions.of("license-check", "team-a")
 *         .reading("configmaps", "team-a")
 *         .withLease("license-check")
 *         .yaml();
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Permissions {
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]*[a-z0-9])?");
  private static final Pattern RESOURCE =
      Pattern.compile("[a-z][a-z0-9]*([.][a-z0-9][a-z0-9.-]*)?");
  private static final String EVERYWHERE = "";

  private record NamespacedRule(String namespace, PolicyRule rule) {}

  private final String account;
  private final String namespace;
  private final List<String> checks;
  private final List<NamespacedRule> more;

  private Permissions(
      String account, String namespace, List<String> checks, List<NamespacedRule> more) {
    this.account = account;
    this.namespace = namespace;
    this.checks = checks;
    this.more = more;
  }

  /**
   * The permissions that every check needs: to see Workloads, AdmissionChecks and flavors, to write
   * its verdicts and its own condition, and to create events.
   *
   * @param account the service account that the controller runs as; the roles get its name too
   * @param namespace where the service account is
   * @throws IllegalArgumentException if a name is none that Kubernetes allows
   */
  public static Permissions of(String account, String namespace) {
    return new Permissions(
        matching(NAME, account, "a name in lower case, such as license-check"),
        matching(NAME, namespace, "a namespace in lower case, such as kueue-system"),
        List.of(),
        List.of());
  }

  /** The same, with permission to write the status of the AdmissionChecks of these names only. */
  public Permissions forChecks(List<String> names) {
    names.forEach(name -> matching(NAME, name, "the name of an AdmissionCheck, such as license"));
    return new Permissions(account, namespace, List.copyOf(names), more);
  }

  /** Also leader election with this Lease, in the namespace of the service account. */
  public Permissions withLease(String lease) {
    return withLease(namespace, lease);
  }

  /** Also leader election with this Lease, in another namespace. */
  public Permissions withLease(String where, String lease) {
    matching(NAME, where, "the namespace of a Lease, such as kueue-system");
    matching(NAME, lease, "the name of a Lease, such as license-check");
    String group = "coordination.k8s.io";
    List<String> leases = List.of("leases");
    // What doesn't exist yet has no name that a rule could go by.
    return with(where, PolicyRule.of(group, leases, List.of("create")))
        .with(where, PolicyRule.of(group, leases, List.of("get", "patch")).named(List.of(lease)));
  }

  /** Also what parameters and watches need: to list and watch. */
  public Permissions reading(String resource, String where) {
    return with(where, PolicyRule.on(resource(resource), PolicyRule.READ));
  }

  /** Also what {@code ResourceClient.get} does, for the objects of these names only. */
  public Permissions getting(String resource, String where, List<String> names) {
    names.forEach(name -> matching(NAME, name, "the name of an object in lower case"));
    if (names.isEmpty()) {
      throw new IllegalArgumentException(
          "name at least one object: a rule without names holds for all");
    }
    return with(where, PolicyRule.on(resource(resource), List.of("get")).named(names));
  }

  /** The same for objects in the namespace of the service account only, such as its Secrets. */
  public Permissions gettingInOwnNamespace(String resource, List<String> names) {
    return getting(resource, namespace, names);
  }

  /** Also what {@code CheckController.Builder.resources()} does: to get, create and delete. */
  public Permissions owning(String resource, String where) {
    return with(where, PolicyRule.on(resource(resource), List.of("get", "create", "delete")));
  }

  /**
   * Also what {@code Parameters.reportingStatus()} and {@code ResourceClient.patchStatus} do: to
   * write the status.
   */
  public Permissions writingStatus(String resource, String where) {
    PolicyRule rule = PolicyRule.on(resource(resource), List.of("patch"));
    return with(where, rule.onStatus());
  }

  /**
   * Also what owner references with {@code blockOwnerDeletion} to objects of this kind need: to
   * finalize the owner.
   */
  public Permissions blockingDeletionOf(String resource) {
    return with(EVERYWHERE, PolicyRule.on(resource(resource), List.of("update")).onFinalizers());
  }

  /** Also what {@code ResourceClient.patch} does: to change objects. */
  public Permissions changing(String resource, String where) {
    return with(where, PolicyRule.on(resource(resource), List.of("patch")));
  }

  /**
   * Also what {@code CheckEnvironment.withAnswers} does: to find out who asks, and what they may
   * see.
   */
  public Permissions answeringInAdvance() {
    List<String> create = List.of("create");
    return with(EVERYWHERE, PolicyRule.of("authentication.k8s.io", List.of("tokenreviews"), create))
        .with(
            EVERYWHERE,
            PolicyRule.of("authorization.k8s.io", List.of("subjectaccessreviews"), create));
  }

  private Permissions with(String where, PolicyRule rule) {
    if (!where.isEmpty()) {
      matching(NAME, where, "a namespace in lower case, or nothing");
    }
    List<NamespacedRule> all = new ArrayList<>(more);
    all.add(new NamespacedRule(where, rule));
    return new Permissions(account, namespace, checks, List.copyOf(all));
  }

  private static String resource(String resource) {
    return matching(
        RESOURCE,
        resource,
        "the plural in lower case with the group behind a dot, such as configmaps or jobs.batch"
            + " ('kubectl api-resources' lists them)");
  }

  private static String matching(Pattern pattern, String text, String remedy) {
    if (!pattern.matcher(text).matches()) {
      throw new IllegalArgumentException("'" + text + "' can't be used; write " + remedy);
    }
    return text;
  }

  /** The service account, the roles and their bindings, ready to be applied. */
  public String yaml() {
    Map<String, List<PolicyRule>> byNamespace =
        Stream.concat(
                needed().stream().map(rule -> new NamespacedRule(EVERYWHERE, rule)), more.stream())
            .distinct()
            .collect(
                Collectors.groupingBy(
                    NamespacedRule::namespace,
                    TreeMap::new,
                    Collectors.mapping(NamespacedRule::rule, Collectors.toList())));
    StringBuilder yaml = new StringBuilder();
    yaml.append(
        """
        apiVersion: v1
        kind: ServiceAccount
        metadata:
          name: %s
          namespace: %s
        """
            .formatted(account, namespace));
    byNamespace.forEach(
        (where, rules) ->
            yaml.append(where.isEmpty() ? role("Cluster", "", rules) : role("", where, rules)));
    return yaml.toString();
  }

  private List<PolicyRule> needed() {
    String kueue = KueueTypes.GROUP;
    List<String> patch = List.of("patch");
    return List.of(
        // Live reads follow a conflict.
        PolicyRule.of(kueue, List.of("workloads"), List.of("get", "list", "watch")),
        PolicyRule.of(kueue, List.of("admissionchecks", "resourceflavors"), PolicyRule.READ),
        PolicyRule.of(kueue, List.of("workloads/status"), patch),
        PolicyRule.of(kueue, List.of("admissionchecks/status"), patch).named(checks),
        // An event that repeats is counted by a patch.
        PolicyRule.of("events.k8s.io", List.of("events"), List.of("create", "patch")));
  }

  private String role(String scope, String where, List<PolicyRule> rules) {
    String in = where.isEmpty() ? "" : "\n  namespace: " + where;
    return """
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: %1$sRole
    metadata:
      name: %2$s%3$s
    rules:
    %4$s---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: %1$sRoleBinding
    metadata:
      name: %2$s%3$s
    roleRef:
      apiGroup: rbac.authorization.k8s.io
      kind: %1$sRole
      name: %2$s
    subjects:
      - kind: ServiceAccount
        name: %2$s
        namespace: %5$s
    """
        .formatted(
            scope,
            account,
            in,
            rules.stream().map(PolicyRule::yaml).collect(Collectors.joining()),
            namespace);
  }
}
