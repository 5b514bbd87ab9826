// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.budget.BudgetCheck;
import io.github.kueue4j.budget.books.BudgetLedger;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.patch.MergePatch;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code kueue4j budget report} on the 21st of a month whose ledgers are made up. */
class BudgetReportCommandTest {
  private static final Instant NOW = Instant.parse("2026-11-21T00:00:00Z");

  /** When the ledgers were created. */
  private static final Instant CREATED = Instant.parse("2026-09-01T00:00:00Z");

  /** Ticks of one unit. */
  private static final long UNIT = 3_600_000_000L;

  private static final String OBJECTS =
      """
      apiVersion: v1
      kind: Namespace
      metadata: {name: research}
      ---
      apiVersion: v1
      kind: Namespace
      metadata: {name: web}
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRole
      metadata: {name: of-one-ledger}
      rules:
      - {apiGroups: [kueue.x-k8s.io], resources: [workloads], verbs: [get, list]}
      - {apiGroups: [checks.kueue4j.io], resources: [budgets], verbs: [get, list]}
      - {apiGroups: [checks.kueue4j.io], resources: [budgetpolicies], verbs: [get]}
      - {apiGroups: [checks.kueue4j.io], resources: [budgetledgers], resourceNames: [monthly.research], verbs: [get]}
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRoleBinding
      metadata: {name: of-one-ledger}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: of-one-ledger}
      subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: lead}]
      ---
      apiVersion: checks.kueue4j.io/v1alpha1
      kind: BudgetPolicy
      metadata: {name: monthly}
      spec:
        limit: 1000
        unit: 'EUR, "net"'
        prices: [{resource: cpu, price: 1}]
        window: {type: Monthly}
        budgets: Lower
        accounting: {userLabel: example.com/user}
      ---
      apiVersion: checks.kueue4j.io/v1alpha1
      kind: Budget
      metadata: {name: gpus, namespace: research}
      spec: {policy: monthly, localQueue: gpus, limit: 400}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: money}
      spec:
        controllerName: kueue4j.io/budget
        parameters: {apiGroup: checks.kueue4j.io, kind: BudgetPolicy, name: monthly}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: other}
      spec: {controllerName: example.com/other}
      ---
      apiVersion: checks.kueue4j.io/v1alpha1
      kind: BudgetLedger
      metadata: {name: monthly.research}
      spec: {policy: monthly, namespace: research}
      ---
      apiVersion: checks.kueue4j.io/v1alpha1
      kind: BudgetLedger
      metadata: {name: monthly.web}
      spec: {policy: monthly, namespace: web}
      """;

  @TempDir private static Path shared;

  private static EmbeddedApiServer server;
  private static ClusterConnection connection;

  @BeforeAll
  static void start() {
    server =
        EmbeddedApiServer.builder().objects(Crds.kueue()).clock(() -> CREATED).secure().start();
    BudgetCheck.crds().forEach(server::apply);
    server.apply(OBJECTS);
    server.kubeconfig(shared.resolve("administrator"));
    connection = ClusterConnection.builder("test").url(server.uri()).open();
    status(
        "monthly.research",
        """
        {"since": "2026-11-01T00:00:00Z", "carried": "0", "settlements": 3,
         "settled": [
           {"from": "2026-11-01T00:00:00Z", "queue": "gpus", "ticks": "%d"},
           {"from": "2026-11-01T00:00:00Z", "queue": "main", "ticks": "%d"}],
         "users": [
           {"from": "2026-11-01T00:00:00Z", "queue": "gpus", "ticks": "%d", "user": "ada"},
           {"from": "2026-11-01T00:00:00Z", "queue": "main", "ticks": "%d", "user": "bob"}],
         "past": [{"from": "2026-10-01T00:00:00Z", "queue": "main", "ticks": "%d", "user": "*"}],
         "open": [{"uid": "u", "workload": "w", "queue": "gpus", "user": "ada",
           "attempt": "2026-11-20T22:00:00Z", "at": "2026-11-20T22:00:00Z",
           "startedAt": "2026-11-20T22:00:00Z", "microsPerHour": "10000000", "seconds": 10800,
           "past": 0}]}
        """
            .formatted(100 * UNIT, 80 * UNIT, 100 * UNIT, 60 * UNIT, 500 * UNIT));
    status(
        "monthly.web",
        """
        {"since": "2026-11-01T00:00:00Z", "carried": "0", "settlements": 1, "open": [],
         "settled": [{"from": "2026-11-01T00:00:00Z", "queue": "main", "ticks": "%1$d"}],
         "users": [
           {"from": "2026-11-01T00:00:00Z", "queue": "main", "ticks": "%1$d", "user": "ada"}]}
        """
            .formatted(50 * UNIT + UNIT / 8));
  }

  private static void status(String ledger, String status) {
    connection
        .api()
        .patch(
            BudgetLedger.TYPE,
            ObjectKey.cluster(ledger),
            new MergePatch(
                JsonParser.parseString("{\"status\": " + status + "}").getAsJsonObject()));
  }

  @AfterAll
  static void stop() {
    connection.close();
    server.close();
  }

  @Test
  void showsWhatNamespacesHaveUsed() {
    Printed printed = report("administrator");

    assertThat(printed.status()).as(printed.err()).isZero();
    assertThat(printed.out())
        .startsWith(
            "BudgetPolicy monthly in EUR, \"net\", since 2026-11-01T00:00:00Z, forecast to"
                + " 2026-12-01T00:00:00Z\n")
        .containsSubsequence(
            "NAMESPACE   USED     SHARE     RUNNING   RESERVED   FORECAST   LIMIT\n",
            "research    200      79.96 %   20        10         300        1000\n",
            "web         50.13    20.04 %   0         0          75.19      1000\n",
            "TOTAL       250.13   100 %     20        10         375.19     -\n");
    assertThat(printed.err()).isEmpty();
  }

  @Test
  void showsWhatUsersHaveUsedAndWhoseWordTheirNamesAre() {
    Printed printed = report("administrator", "--check=money", "--by=user", "--since=2026-10-15");

    assertThat(printed.out())
        .contains(", since 2026-10-01T00:00:00Z,")
        .containsSubsequence(
            "USER         USED     SHARE     ",
            "(others)     500      66.66 %",
            "ada          170.13   22.68 %",
            "bob          60       8 %",
            "(no label)   20       2.67 %",
            "TOTAL        750.13   100 %");
    assertThat(printed.err())
        .contains("label example.com/user says: the word of the one who submits");
  }

  @Test
  void saysWhichLedgersHaveNothingOfTheBeginning() {
    Printed printed = report("administrator", "--since=2026-10-15", "-o=json");

    assertThat(printed.err())
        .contains("the BudgetLedger 'monthly.web' has nothing of before 2026-11-01T00:00:00Z:")
        .doesNotContain("monthly.research");
    JsonObject report =
        JsonParser.parseString(printed.out())
            .getAsJsonObject()
            .getAsJsonArray("reports")
            .get(0)
            .getAsJsonObject();
    assertThat(report.getAsJsonObject("keptSince").toString())
        .isEqualTo("{\"web\":\"2026-11-01T00:00:00Z\"}");
  }

  @Test
  void writesLinesThatASpreadsheetReads() {
    Printed printed = report("administrator", "--by=queue", "-o", "csv");

    List<String> lines = printed.out().lines().toList();
    assertThat(lines.getFirst())
        .isEqualTo(
            "policy,unit,since,until,namespace,queue,user,used,share,running,reserved,forecast,limit");
    assertThat(lines.get(1))
        .startsWith(
            "monthly,\"EUR, \"\"net\"\"\",2026-11-01T00:00:00Z,2026-12-01T00:00:00Z,research,gpus,,"
                + "120,0.4798,20,10,")
        .endsWith(",180,400");
    assertThat(lines).hasSize(4).last().asString().contains(",web,main,,50.125,0.2004,0,0,");
  }

  @Test
  void aBudgetNeedsTheRightToItsOwnLedgerOnly() {
    Printed printed = report("lead", "--budget=research/gpus", "-o=json");

    assertThat(printed.status()).as(printed.err()).isZero();
    JsonArray rows =
        JsonParser.parseString(printed.out())
            .getAsJsonObject()
            .getAsJsonArray("reports")
            .get(0)
            .getAsJsonObject()
            .getAsJsonArray("rows");
    assertThat(rows).hasSize(1);
    JsonObject row = rows.get(0).getAsJsonObject();
    assertThat(row.get("queue").getAsString()).isEqualTo("gpus");
    assertThat(row.get("used").getAsInt()).isEqualTo(120);
    assertThat(row.get("limit").getAsInt()).isEqualTo(400);
  }

  @Test
  void namesTheRightsThatAreMissing() {
    Printed printed = report("lead");

    assertThat(printed.status()).isEqualTo(2);
    assertThat(printed.err()).contains("this needs get and list of budgetpolicies, budgetledgers");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--since=2026-11-31 | --since is '2026-11-31': write a day such as 2026-11-01",
        "--since=2027-01-01 | which is to come: write an earlier day",
        "--check=monney | there is no AdmissionCheck 'monney'; 'kubectl get admissionchecks'",
        "--check=other | has no BudgetPolicy as its parameters",
        "--budget=gpus | write NAMESPACE/NAME",
        "--budget=web/gpus | there is no Budget 'web/gpus'; 'kubectl get budgets -n web'",
      })
  void refusesWhatItCannotFind(String option, String error) {
    Printed printed = report("administrator", option);

    assertThat(printed.status()).isEqualTo(2);
    assertThat(printed.err()).contains(error);
    assertThat(printed.out()).isEmpty();
  }

  private record Printed(int status, String out, String err) {}

  private static Printed report(String user, String... options) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Path kubeconfig =
        user.equals("administrator")
            ? shared.resolve(user)
            : server.kubeconfig(shared.resolve(user), User.named(user));
    int status =
        new CommandLine(new BudgetReportCommand(() -> NOW))
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .setExecutionExceptionHandler(
                (error, line, parsed) -> {
                  line.getErr().println(error.getMessage());
                  return error instanceof UserError ? 2 : 70;
                })
            .execute(
                Stream.concat(Stream.of("--kubeconfig=" + kubeconfig), Stream.of(options))
                    .toArray(String[]::new));
    return new Printed(status, out.toString(), err.toString());
  }
}
