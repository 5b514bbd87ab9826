// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.PodRequests;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.approvalcheck.ApprovalSpec;
import io.github.kueue4j.approvalcheck.Rulings;
import io.github.kueue4j.approvalcheck.Standing;
import io.github.kueue4j.cli.terminal.ApprovalRows;
import io.github.kueue4j.cli.terminal.Table;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.ListOptions;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code kueue4j approvals}: what waits for a person. */
@Command(
    name = "approvals",
    description =
        "Lists the Workloads that wait for an approval, with who is to be asked, and since when"
            + " they are there.",
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR})
final class ApprovalsCommand implements Callable<Integer> {
  @Mixin private NamespaceOptions namespaces = new NamespaceOptions();

  @Mixin private FormatOption format = new FormatOption();

  @Mixin private KueueCluster cluster = new KueueCluster();

  @Override
  public Integer call() throws InterruptedException {
    namespaces.check();
    return cluster.use(
        namespaces.needs("this needs to list AdmissionChecks, and Workloads and Approvals"),
        this::print);
  }

  private int print(ClusterConnection connection, PrintWriter out) {
    Instant now = TimeSource.wallClock().instant();
    ListOptions where = namespaces.where(connection);
    List<ApprovalRows.Awaited> awaited =
        awaited(
            ApprovalChecks.read(connection.api()),
            connection.api().list(KueueTypes.WORKLOAD, where).items(),
            Rulings.of(connection.api().list(ApprovalSpec.TYPE, where).items()),
            now);
    ApprovalRows rows = new ApprovalRows(namespaces.all(), now);
    out.print(
        format.print(
            new Table(rows.header()),
            () -> awaited.stream().map(rows::row).toList(),
            () -> tree(awaited)));
    return 0;
  }

  /** The Workloads that wait, the oldest first. */
  static List<ApprovalRows.Awaited> awaited(
      ApprovalChecks checks, List<Workload> workloads, Rulings rulings, Instant now) {
    List<ApprovalRows.Awaited> found = new ArrayList<>();
    for (Workload workload : workloads) {
      if (!workload.spec().active()
          || workload.conditions().finished()
          || workload.conditions().admitted()) {
        continue;
      }
      for (AdmissionCheckState entry : workload.status().admissionChecks()) {
        if (checks.contains(entry.name())) {
          Standing standing = checks.standing(workload, entry.name(), rulings, now);
          if (!(standing instanceof Standing.Approved || standing instanceof Standing.Denied)) {
            found.add(
                new ApprovalRows.Awaited(
                    workload,
                    entry.name(),
                    checks.of(entry.name()).approvers().orElse(""),
                    standing.summary()));
          }
        }
      }
    }
    found.sort(
        Comparator.comparing(ApprovalRows.Awaited::since)
            .thenComparing(one -> one.workload().key()));
    return found;
  }

  private static Map<String, Object> podSet(PodSet podSet) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", podSet.name());
    fields.put("count", podSet.count());
    Map<String, String> requests = new TreeMap<>();
    PodRequests.of(podSet.template().getSpec())
        .forEach((resource, amount) -> requests.put(resource, amount.toString()));
    fields.put("requestsOfAPod", requests);
    return fields;
  }

  private static Map<String, Object> tree(List<ApprovalRows.Awaited> awaited) {
    return Map.of(
        "approvals",
        awaited.stream()
            .map(
                one -> {
                  Map<String, Object> fields = new LinkedHashMap<>();
                  fields.put("namespace", one.workload().key().namespace());
                  fields.put("workload", one.workload().key().name());
                  fields.put("uid", one.workload().metadata().getUid());
                  fields.put("generation", one.workload().metadata().getGeneration());
                  fields.put(
                      "podSets",
                      one.workload().spec().podSets().stream()
                          .map(ApprovalsCommand::podSet)
                          .toList());
                  fields.put("check", one.check());
                  fields.put("approvers", one.approvers());
                  fields.put("since", one.since().toString());
                  fields.put("why", one.why());
                  return fields;
                })
            .toList());
  }
}
