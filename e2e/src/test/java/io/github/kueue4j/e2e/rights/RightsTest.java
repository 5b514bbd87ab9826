// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.rights;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.access.RoleBasedAccess;
import io.github.kueue4j.apiserver.traffic.ApiRequest;
import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.core.config.Integrations;
import io.github.kueue4j.core.webhook.WebhookRegistration;
import io.github.kueue4j.e2e.assembly.WindableTime;
import io.github.kueue4j.e2e.charts.Chart;
import io.github.kueue4j.e2e.world.SimulatedWorld;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.testdefaults.PossibleLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The charts' roles against the requests that the components really send: each component runs as
 * the service account that its chart gives it, on a server that enforces the roles.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@PossibleLog(
    logger = "GuardedReconciler",
    message = "Reconcile failed; retrying",
    because = "an object may go while its status is written")
class RightsTest {
  private static final Instant START = Instant.parse("2026-03-02T10:00:00Z");

  private static final String WEBHOOKS = "kueue-webhook-service";
  private static final String AFTER_A_CONFLICT = "read again from the API after a conflict";
  private static final String REPEATED = "an event that repeats is counted, not created again";
  private static final String RACED = "read if another client created it in the meantime";
  private static final String JOB_SETS =
      "used where JobSet is installed, see ConfiguredRightsTest; it isn't here";
  private static final String OWNER =
      "an owner reference with blockOwnerDeletion needs it where"
          + " OwnerReferencesPermissionEnforcement is on";

  /** Permissions that a run may leave unused, with the reason why they are given all the same. */
  private static final Map<Component, Map<String, String>> SPARE =
      Map.of(
          Component.CORE,
          Map.ofEntries(
              Map.entry("get kueue.x-k8s.io/workloads", AFTER_A_CONFLICT),
              Map.entry("get kueue.x-k8s.io/clusterqueues", AFTER_A_CONFLICT),
              Map.entry("get kueue.x-k8s.io/cohorts", AFTER_A_CONFLICT),
              Map.entry("get kueue.x-k8s.io/localqueues", AFTER_A_CONFLICT),
              Map.entry("get kueue.x-k8s.io/resourceflavors", AFTER_A_CONFLICT),
              Map.entry("get kueue.x-k8s.io/admissionchecks", AFTER_A_CONFLICT),
              Map.entry(
                  "get scheduling.k8s.io/priorityclasses",
                  "asked for when the cache lacks the class that a Job names"),
              Map.entry(
                  "get namespaces", "the command asks for the lease's namespace before it starts"),
              Map.entry("get nodes", "asked about pods whose time to end is long over"),
              Map.entry("patch events.k8s.io/events", REPEATED),
              Map.entry("update batch/jobs/finalizers", OWNER),
              Map.entry("get jobset.x-k8s.io/jobsets", JOB_SETS),
              Map.entry("list jobset.x-k8s.io/jobsets", JOB_SETS),
              Map.entry("watch jobset.x-k8s.io/jobsets", JOB_SETS),
              Map.entry("patch jobset.x-k8s.io/jobsets", JOB_SETS),
              Map.entry("update jobset.x-k8s.io/jobsets/finalizers", OWNER)),
          Component.BUDGET,
          Map.of(
              "delete checks.kueue4j.io/budgetledgers", "of a namespace that is gone",
              "get kueue.x-k8s.io/workloads", AFTER_A_CONFLICT,
              "patch events.k8s.io/events", REPEATED),
          Component.GPU,
          Map.of(
              "get kueue.x-k8s.io/workloads", AFTER_A_CONFLICT,
              "patch events.k8s.io/events", REPEATED),
          Component.APPROVAL,
          Map.of(
              "get kueue.x-k8s.io/workloads", AFTER_A_CONFLICT,
              "patch events.k8s.io/events", REPEATED),
          Component.DEPENDENCY,
          Map.of(
              "get kueue.x-k8s.io/workloads", AFTER_A_CONFLICT,
              "patch events.k8s.io/events", REPEATED),
          Component.POLICY,
          Map.of(
              "get kueue.x-k8s.io/workloads", AFTER_A_CONFLICT,
              "patch events.k8s.io/events", REPEATED),
          Component.PROMETHEUS,
          Map.of(
              "get kueue.x-k8s.io/workloads", AFTER_A_CONFLICT,
              "patch events.k8s.io/events", REPEATED),
          Component.PROVISIONING,
          Map.of(
              "get kueue.x-k8s.io/workloads", AFTER_A_CONFLICT,
              "patch events.k8s.io/events", REPEATED,
              "get podtemplates", RACED,
              "delete podtemplates", "of a former request, where no garbage collector runs",
              "get autoscaling.x-k8s.io/provisioningrequests", RACED,
              "update kueue.x-k8s.io/workloads/finalizers", OWNER,
              "update autoscaling.x-k8s.io/provisioningrequests/finalizers", OWNER),
          Component.HTTP,
          Map.of(
              "get kueue.x-k8s.io/workloads", AFTER_A_CONFLICT,
              "patch events.k8s.io/events", REPEATED));

  private final Requests requests = new Requests();
  private RoleBasedAccess access;

  @BeforeAll
  void record(@TempDir Path folder) throws Exception {
    List<JsonNode> roles = rolesOfTheCharts();
    access = RoleBasedAccess.of(roles);
    try (WindableTime time = new WindableTime(START);
        EmbeddedApiServer server =
            EmbeddedApiServer.builder()
                .clock(time)
                .webhookPatience(Duration.ofMinutes(1))
                .kubelets()
                .objects(initialObjects(roles))
                .secure()
                .onRequest(requests)
                .start()) {
      Path administrator = server.kubeconfig(folder.resolve("administrator"));
      List<AutoCloseable> running = new ArrayList<>();
      try (ClusterConnection users = Target.of(administrator).connect("users")) {
        running.add(SimulatedWorld.start(administrator, time, Duration.ofMinutes(1)));
        EverySituation situation = new EverySituation(server, users, time);
        running.add(situation);
        situation.occupyTheGpus();
        for (Component component : Component.values()) {
          Path own =
              inItsNamespace(
                  server.kubeconfig(folder.resolve(component.client()), component.user()));
          AutoCloseable started = component.start(Target.of(own), time);
          running.add(started);
          if (started instanceof RunningCore core) {
            server.routeService(Component.NAMESPACE, WEBHOOKS, core.webhookPort());
            assertThat(Scraper.scrape(server, core.metricsPort()).statusCode()).isEqualTo(200);
          }
        }
        try {
          situation.bringAbout();
        } catch (AssertionError e) {
          throw new AssertionError("it goes no further; denied was " + allDenied(), e);
        }
      } finally {
        for (AutoCloseable each : running.reversed()) {
          each.close();
        }
      }
    }
  }

  /** The namespace of a component is that of its pod. */
  private static Path inItsNamespace(Path kubeconfig) throws IOException {
    String text = Files.readString(kubeconfig);
    String context = "    user: user\n";
    assertThat(text).contains(context);
    return Files.writeString(
        kubeconfig,
        text.replace(context, context + "    namespace: " + Component.NAMESPACE + "\n"));
  }

  @ParameterizedTest
  @EnumSource
  void everyRequestIsAllowed(Component component) {
    assertThat(denied(component)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void everyPermissionIsUsedOrHasAReason(Component component) {
    Set<String> granted = granted(component);
    Set<String> used = new TreeSet<>();
    requests.of(component.client()).forEach(each -> used.add(Permission.of(each).toString()));
    Set<String> unused = new TreeSet<>(granted);
    unused.removeAll(used);
    Map<String, String> spare = SPARE.get(component);

    assertThat(spare.keySet()).isNotEmpty().containsAll(unused);
    assertThat(granted)
        .describedAs("reasons for what is not even granted")
        .containsAll(spare.keySet());
  }

  @Test
  void clientsAreToldApartByTheirUserAgent() {
    assertThat(requests.clients())
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(
                    Stream.of(Component.values()).map(Component::client),
                    Stream.of("users", "simulated-world"))
                .toList());
  }

  /**
   * Discovery and the version are open to every authenticated user (system:discovery), as are
   * questions about one's own rights (system:basic-user).
   */
  private List<String> denied(Component component) {
    return requests.of(component.client()).stream()
        .filter(ApiRequest::resourceRequest)
        .filter(request -> !request.resource().equals("selfsubjectaccessreviews"))
        .filter(request -> !access.allows(component.user(), request))
        .map(request -> Permission.of(request) + " in '" + request.namespace() + "'")
        .distinct()
        .sorted()
        .toList();
  }

  private Map<Component, List<String>> allDenied() {
    Map<Component, List<String>> all = new TreeMap<>();
    for (Component component : Component.values()) {
      all.put(component, denied(component));
    }
    return all;
  }

  private Set<String> granted(Component component) {
    Map<String, Boolean> granted = new TreeMap<>();
    access
        .grants(component.user())
        .forEach(grant -> Permission.in(grant).forEach(each -> granted.put(each.toString(), true)));
    return granted.keySet();
  }

  private static List<JsonNode> rolesOfTheCharts() {
    ObjectMapper json = new ObjectMapper();
    return Stream.concat(
            Chart.named("kueue-core")
                .render(values -> values.set("enablePrometheus", true))
                .stream(),
            Chart.named("admission-checks")
                .render(
                    values ->
                        values
                            .set("checks.provisioning.enabled", true)
                            .set("checks.policy.enabled", true)
                            .set("checks.approval.enabled", true)
                            .set("checks.dependency.enabled", true)
                            .set("checks.http.enabled", true)
                            .set("checks.http.secrets.names[0]", "credentials")
                            .set("checks.prometheus.enabled", true)
                            .set("checks.prometheus.secrets.names[0]", "credentials"))
                .stream())
        .filter(each -> each.kind().contains("Role") || each.kind().startsWith("Validating"))
        .filter(each -> !each.kind().endsWith("WebhookConfiguration"))
        .map(each -> json.<JsonNode>valueToTree(each.tree()))
        .toList();
  }

  private static String secretForTheWebhooks() {
    return Chart.named("kueue-core").render().stream()
        .filter(each -> each.kind().equals("Secret"))
        .map(each -> new ObjectMapper().<JsonNode>valueToTree(each.tree()))
        .map(secret -> withNamespace((ObjectNode) secret))
        .findFirst()
        .orElseThrow();
  }

  private static String withNamespace(ObjectNode secret) {
    ((ObjectNode) secret.get("metadata")).put("namespace", Component.NAMESPACE);
    return secret.toString();
  }

  private static List<String> initialObjects(List<JsonNode> roles) {
    List<String> yamls = new ArrayList<>(Crds.kueue());
    yamls.addAll(Crds.external());
    for (CheckName check : CheckName.values()) {
      yamls.addAll(check.crds());
    }
    yamls.add("{apiVersion: v1, kind: Namespace, metadata: {name: " + Component.NAMESPACE + "}}");
    roles.forEach(role -> yamls.add(role.toString()));
    yamls.add(secretForTheWebhooks());
    WebhookRegistration registration =
        new WebhookRegistration(
            new ObjectKey(Component.NAMESPACE, WEBHOOKS),
            WebhookRegistration.allNamespacesBut(Component.NAMESPACE),
            Integrations.of(List.of("batch/job")),
            Component.CORE.user().name());
    yamls.add(KueueJson.toJson(registration.mutating()));
    yamls.add(KueueJson.toJson(registration.validating()));
    return yamls;
  }
}
