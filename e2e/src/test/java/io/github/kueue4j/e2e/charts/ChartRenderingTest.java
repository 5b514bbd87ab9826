// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.marcnuri.helm.LintResult;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChartRenderingTest {
  private static final Chart CORE = Chart.named("kueue-core");

  @ParameterizedTest
  @ValueSource(strings = {"kueue-core", "admission-checks"})
  void lintFindsNothing(String chart) {
    LintResult result = Chart.named(chart).lint();

    assertThat(result.isFailed()).describedAs("%s", result.getMessages()).isFalse();
  }

  @Test
  void objectsCarryTheReleasesName() {
    Set<String> ids = new TreeSet<>();
    CORE.render(values -> values.set("crds.install", false).set("roles.create", false))
        .forEach(each -> ids.add(each.id()));

    assertThat(ids)
        .containsExactly(
            "ClusterRole/kueue-manager-role",
            "ClusterRole/kueue-metrics-auth-role",
            "ClusterRole/kueue-metrics-reader",
            "ClusterRole/kueue-webhook-authority-role",
            "ClusterRoleBinding/kueue-manager-rolebinding",
            "ClusterRoleBinding/kueue-metrics-auth-rolebinding",
            "ClusterRoleBinding/kueue-webhook-authority-rolebinding",
            "ConfigMap/kueue-manager-config",
            "Deployment/kueue-controller-manager",
            "MutatingWebhookConfiguration/kueue-mutating-webhook-configuration",
            "Role/kueue-leader-election-role",
            "Role/kueue-webhook-certificate-role",
            "RoleBinding/kueue-leader-election-rolebinding",
            "RoleBinding/kueue-webhook-certificate-rolebinding",
            "Secret/kueue-webhook-server-cert",
            "Service/kueue-controller-manager-metrics-service",
            "Service/kueue-webhook-service",
            "ServiceAccount/kueue-controller-manager",
            "ValidatingAdmissionPolicy/kueue-job-guard",
            "ValidatingAdmissionPolicy/kueue-status-guard",
            "ValidatingAdmissionPolicy/kueue-unmanaged-kinds",
            "ValidatingAdmissionPolicy/kueue-workload-guard",
            "ValidatingAdmissionPolicyBinding/kueue-job-guard",
            "ValidatingAdmissionPolicyBinding/kueue-status-guard",
            "ValidatingAdmissionPolicyBinding/kueue-unmanaged-kinds",
            "ValidatingAdmissionPolicyBinding/kueue-workload-guard",
            "ValidatingWebhookConfiguration/kueue-validating-webhook-configuration");
  }
}
