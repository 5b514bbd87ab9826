// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.rbac;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apiguardian.api.API;

/**
 * A ValidatingAdmissionPolicy for the status of Workloads. Roles can't say that a check may change
 * its own entry of {@code status.admissionChecks} only: a user who may patch the status may admit a
 * Workload by hand. With the guard, a user changes only the entries of those AdmissionChecks whose
 * status it may patch, and nothing else of the status. Needs Kubernetes 1.30 or newer.
 *
 * <p>Source: Kubernetes documentation, "Validating Admission Policy".
 *
 * <pre>{@code
 * String yaml =
 *     StatusGuard.confining(
 *             "license-check", List.of("system:serviceaccount:team-a:license-check"))
 *         .yaml();
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class StatusGuard {
  /** No quotes and no line breaks, so that a name can stand in an expression. */
  private static final Pattern USER = Pattern.compile("[A-Za-z0-9@._:/-]+");

  /** As many as status.admissionChecks of a Workload can have. */
  private static final int ENTRIES = 8;

  private final String name;
  private final String who;

  private StatusGuard(String name, String who) {
    this.name = name;
    this.who = who;
  }

  /**
   * For these users only, such as the service account of one check.
   *
   * @param name of the policy and of its binding, one per cluster
   * @param users such as {@code system:serviceaccount:team-a:license}; at least one
   * @throws IllegalArgumentException if there is no user or a name can't be one
   */
  public static StatusGuard confining(String name, List<String> users) {
    if (users.isEmpty()) {
      throw new IllegalArgumentException("name at least one user whom the guard confines");
    }
    return new StatusGuard(name, "request.userInfo.username in " + list(users));
  }

  /**
   * For everybody but these users, such as the queue controller, and the group {@code
   * system:masters}.
   *
   * @param name of the policy and of its binding, one per cluster
   * @param users such as {@code system:serviceaccount:kueue-system:kueue-controller-manager}
   * @throws IllegalArgumentException if a name can't be a user's
   */
  public static StatusGuard exempting(String name, List<String> users) {
    return new StatusGuard(
        name,
        "!(request.userInfo.username in "
            + list(users)
            + ") && !('system:masters' in request.userInfo.groups)");
  }

  private static String list(List<String> users) {
    return users.stream()
        .map(
            user -> {
              if (!USER.matcher(user).matches()) {
                throw new IllegalArgumentException(
                    "'"
                        + user
                        + "' can't be guarded; write a user's name, such as"
                        + " system:serviceaccount:team-a:license");
              }
              return "'" + user + "'";
            })
        .collect(Collectors.joining(", ", "[", "]"));
  }

  /** The policy and its binding, ready to be applied. */
  public String yaml() {
    return """
      apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingAdmissionPolicy
      metadata:
        name: %1$s
      spec:
        failurePolicy: Fail
        matchConstraints:
          resourceRules:
            - apiGroups: [kueue.x-k8s.io]
              apiVersions: ["*"]
              operations: [UPDATE]
              resources: [workloads/status]
        matchConditions:
          - name: who
            expression: >-
              %2$s
        variables:
          - name: before
            expression: oldObject.?status.orValue({})
          - name: after
            expression: object.?status.orValue({})
          - name: entriesBefore
            expression: oldObject.?status.?admissionChecks.orValue([])
          - name: entriesAfter
            expression: object.?status.?admissionChecks.orValue([])
          - name: otherFields
            expression: >-
              variables.after.filter(f, f != 'admissionChecks'
              && !(f in variables.before && variables.before[f] == variables.after[f]))
              + variables.before.filter(f, f != 'admissionChecks' && !(f in variables.after))
          - name: changed
            expression: >-
              variables.entriesAfter.filter(e, !variables.entriesBefore.exists(o, o == e)).map(e, e.name)
        validations:
          - expression: size(variables.otherFields) == 0
            messageExpression: >-
              request.userInfo.username + ' may change entries of status.admissionChecks only, not status.'
              + variables.otherFields.join(', status.')
            reason: Forbidden
          - expression: >-
              size(variables.entriesBefore) == size(variables.entriesAfter)
              && variables.entriesAfter.all(e, variables.entriesBefore.exists(o, o.name == e.name))
            messageExpression: >-
              request.userInfo.username + ' may neither add nor remove entries of status.admissionChecks'
            reason: Forbidden
      %3$s---
      apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingAdmissionPolicyBinding
      metadata:
        name: %1$s
      spec:
        policyName: %1$s
        validationActions: [Deny]
      """
        .formatted(name, who, permissions());
  }

  /**
   * One validation for each entry: an expression may ask the authorizer twice, since an answer
   * costs 350,000 of the 1,000,000 that an expression may cost. A message can't ask at all.
   */
  private static String permissions() {
    return IntStream.range(0, ENTRIES)
        .mapToObj(
            index ->
                """
                    - expression: >-
                        size(variables.changed) <= %1$d || ['patch', 'update'].exists(v,
                        authorizer.group('kueue.x-k8s.io').resource('admissionchecks').subresource('status')
                        .name(variables.changed[%1$d]).check(v).allowed())
                      messageExpression: >-
                        request.userInfo.username + ' may not change the entry of status.admissionChecks of '
                        + variables.changed[%1$d] + ': it may not patch the status of this AdmissionCheck'
                      reason: Forbidden
                """
                    .formatted(index))
        .collect(Collectors.joining());
  }
}
