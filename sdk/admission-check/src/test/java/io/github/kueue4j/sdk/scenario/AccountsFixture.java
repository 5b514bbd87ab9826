// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.rbac.Permissions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;

/** A check that has a kind of its own, the accounts, and its controller. */
class AccountsFixture {

  record Account(int limit) {}

  static final ResourceType<CustomResource<Account>> ACCOUNTS =
      ResourceType.clusterScoped("ops.example.com/v1", "Account", Account.class);
  static final ObjectKey MAIN = ObjectKey.cluster("main");

  final ManualTime time = ManualTime.create();
  final KueueSide kueue = new KueueSide(time);
  final List<AutoCloseable> open = new ArrayList<>(List.of(kueue));

  AccountsFixture() {
    kueue
        .server()
        .apply(
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: accounts.ops.example.com}
            spec:
              group: ops.example.com
              scope: Cluster
              names: {kind: Account, plural: accounts, singular: account}
              versions:
                - name: v1
                  served: true
                  storage: true
                  subresources: {status: {}}
                  schema:
                    openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
            """);
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  static Verdict fine() {
    return Verdict.ready("fine");
  }

  CustomResource<Account> stored(String name) {
    return kueue.api().get(ACCOUNTS, ObjectKey.cluster(name)).orElseThrow();
  }

  void run(Function<CheckController.Builder, CheckController.Builder> described)
      throws InterruptedException {
    run(described, UnaryOperator.identity());
  }

  void run(
      Function<CheckController.Builder, CheckController.Builder> described,
      UnaryOperator<Permissions> narrowed)
      throws InterruptedException {
    ClusterConnection cluster =
        kueue.connect(
            "own",
            permissions ->
                narrowed
                    .apply(permissions)
                    .reading(ACCOUNTS.qualifiedName(), "")
                    .writingStatus(ACCOUNTS.qualifiedName(), ""));
    open.add(cluster);
    CheckController controller =
        described
            .apply(CheckController.builder("example.com/own", CheckEnvironment.of(cluster, time)))
            .build();
    open.add(controller);
    controller.start();
  }

  void check(String name, String account) {
    kueue.server().apply(checkYaml(name, account));
  }

  static String checkYaml(String name, String account) {
    return """
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: AdmissionCheck
    metadata: {name: %s}
    spec:
      controllerName: example.com/own
      parameters: {apiGroup: ops.example.com, kind: Account, name: %s}
    """
        .formatted(name, account);
  }

  void delete(String check) {
    kueue
        .api()
        .delete(KueueTypes.ADMISSION_CHECK, ObjectKey.cluster(check), DeleteOptions.background());
  }

  void account(String name, String limit) {
    kueue
        .server()
        .apply(
            """
            {apiVersion: ops.example.com/v1, kind: Account, metadata: {name: %s},
             spec: {limit: %s}}
            """
                .formatted(name, limit));
  }
}
