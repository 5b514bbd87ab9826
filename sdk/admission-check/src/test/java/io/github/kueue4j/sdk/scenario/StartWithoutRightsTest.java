// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.lease.LeaderElection;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.objects.Watch;
import io.github.kueue4j.sdk.rbac.MissingRightsException;
import org.junit.jupiter.api.Test;

/** What a controller says whose account lacks rights. */
class StartWithoutRightsTest extends WindowFixture {

  @Test
  void rightsThatAreMissingAreNamedAtTheStart() {
    refer("v1", "ConfigMap");
    ClusterConnection cluster = kueue.connect("poor");
    open.add(cluster);
    CheckController.Builder builder =
        CheckController.builder(CONTROLLER, CheckEnvironment.of(cluster, time));
    builder.watch(Watch.of(CoreTypes.NODE));
    builder.watch(Watch.of(CoreTypes.SECRET).inNamespace(SETTINGS).named("key"));
    CheckController controller =
        builder.check(Parameters.configMap(SETTINGS, Window::read), CHECK).build();
    open.add(controller);

    assertThatThrownBy(controller::start)
        .isInstanceOf(MissingRightsException.class)
        .hasMessage(
            "the account of the controller example.com/window may not list and watch nodes; nor"
                + " list and watch secrets in the namespace 'settings'; nor list and watch configmaps"
                + " in the namespace 'settings': './kueue4j rbac --controller-name"
                + " example.com/window -n "
                + KueueSide.NAMESPACE
                + " --name poor --watch nodes --watch secrets:settings --parameters"
                + " configmaps:settings' prints roles that grant it; add what else its role has");
  }

  @Test
  void theRemedyNamesWhatIsKnownAndThatThereMayBeMore() {
    define();
    ClusterConnection cluster =
        kueue.connect("window-check", may -> may.reading("maintenancewindows.ops.example.com", ""));
    open.add(cluster);
    CheckController.Builder builder =
        CheckController.builder(
            "kueue4j.io/window",
            CheckEnvironment.of(cluster, time)
                .withHosting(
                    host -> host.leaderElection(LeaderElection.named(SETTINGS, "window-check"))));
    builder.resources();
    CheckController controller =
        builder.check(Parameters.of(WINDOWS).reportingStatus(), CHECK).build();
    open.add(controller);

    assertThatThrownBy(controller::start)
        .isInstanceOf(MissingRightsException.class)
        .hasMessage(
            "the account of the controller kueue4j.io/window may not get and patch"
                + " leases.coordination.k8s.io in the namespace 'settings': in a Helm release the"
                + " chart's values grant it; elsewhere './kueue4j rbac --controller-name"
                + " kueue4j.io/window -n "
                + KueueSide.NAMESPACE
                + " --name window-check --parameters maintenancewindows.ops.example.com"
                + " --status maintenancewindows.ops.example.com --lease settings/window-check'"
                + " prints roles that grant it; add what else its role has, such as by --own, --change"
                + " or --secret");
  }

  /** The right to a Lease of one name doesn't allow to create it. */
  @Test
  void aLeaseThatIsNotThereMustBeCreated() {
    ClusterConnection cluster = kueue.connect("poor");
    kueue
        .server()
        .grant(
            User.serviceAccount(KueueSide.NAMESPACE, "poor"),
            "{apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get, patch]}");
    open.add(cluster);
    CheckController controller = electing("example.com/poor", cluster, "poor");

    assertThatThrownBy(controller::start)
        .isInstanceOf(MissingRightsException.class)
        .hasMessage(
            "the account of the controller example.com/poor may not create"
                + " leases.coordination.k8s.io in the namespace '"
                + KueueSide.NAMESPACE
                + "': './kueue4j rbac --controller-name example.com/poor -n "
                + KueueSide.NAMESPACE
                + " --name poor --leader-elect' prints roles that grant it; add what else its role"
                + " has");

    kueue
        .server()
        .apply(
            "{apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {namespace: %s, name: poor}}"
                .formatted(KueueSide.NAMESPACE));
    CheckController next = electing("example.com/poor", cluster, "poor");
    assertThatCode(next::start).as("another client has created it").doesNotThrowAnyException();
  }

  @Test
  void theRightsOfAShippedCheckAreKnown() {
    ClusterConnection cluster = kueue.connect("gpu-check");
    open.add(cluster);
    CheckController controller =
        electing("kueue4j.io/gpu-availability", cluster, "kueue4j-check-gpu");

    assertThatThrownBy(controller::start)
        .isInstanceOf(MissingRightsException.class)
        .hasMessageEndingWith(
            ": in a Helm release the chart's values grant it; elsewhere './kueue4j rbac --for gpu -n "
                + KueueSide.NAMESPACE
                + " --name gpu-check --lease kueue4j-check-gpu' prints roles that grant it; add what"
                + " else its role has");
  }

  private CheckController electing(String name, ClusterConnection cluster, String lease) {
    CheckController controller =
        CheckController.builder(
                name,
                CheckEnvironment.of(cluster, time)
                    .withHosting(
                        host ->
                            host.leaderElection(LeaderElection.named(KueueSide.NAMESPACE, lease))))
            .check(evaluation -> Verdict.ready("fine"))
            .build();
    open.add(controller);
    return controller;
  }
}
