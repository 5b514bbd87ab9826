// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.stories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.kueue4j.e2e.charts.ClusterContents;
import io.github.kueue4j.testkit.client.PatchFormat;
import io.github.kueue4j.testkit.client.RefusedRequestException;
import io.github.kueue4j.testkit.client.Watch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** What only an installation on nodes shows, besides what holds everywhere. */
abstract class InstalledStories extends Stories {
  private static final String USER = "65532";

  private @Nullable InstalledSite opened;

  /** What there was before. */
  private Set<String> before = Set.of();

  /** The cluster, or a reason to skip. */
  abstract InstalledSite.Settings settings() throws Exception;

  @Override
  final Site open() throws Exception {
    InstalledSite.Settings settings = settings();
    try (ClusterContents contents = ClusterContents.of(settings.kubeconfig())) {
      before = ofOurs(contents);
    }
    InstalledSite site = InstalledSite.open(settings);
    opened = site;
    return site;
  }

  private InstalledSite installed() {
    return Objects.requireNonNull(opened);
  }

  /** Other objects of a cluster come and go. */
  private static Set<String> ofOurs(ClusterContents contents) {
    Set<String> ours = new TreeSet<>(contents.objects());
    ours.removeIf(each -> !each.contains("kueue"));
    return ours;
  }

  @Test
  @Order(0)
  @DisplayName("the pods start, no probe fails, and Helm's tests pass")
  void podsStart(Seen seen) {
    for (String namespace : List.of(Installation.CORE, Installation.CHECKS)) {
      assertThat(installed().pods(namespace)).isNotEmpty();
      for (JsonNode pod : installed().pods(namespace)) {
        assertThat(restarts(pod)).as("restarts of %s", name(pod)).isZero();
        seen.note(
            name(pod).replaceAll("-[a-z0-9]+-[a-z0-9]{5}$", "")
                + " ready after "
                + readyAfter(pod).toSeconds()
                + " s");
      }
      List<String> warnings = warnings(namespace);
      long tooEarly = warnings.stream().filter(InstalledStories::comesTooEarly).count();
      assertThat(warnings).as("warnings in " + namespace).hasSize((int) tooEarly);
      if (tooEarly > 0) {
        seen.note(tooEarly + " probes came before a process listened");
      }
    }
    installed().installation().test();
  }

  /** On a node that is busy. */
  private static boolean comesTooEarly(String warning) {
    return warning.contains("Startup probe failed") && warning.contains("connection refused");
  }

  private static Duration readyAfter(JsonNode pod) {
    Instant created = Instant.parse(pod.path("metadata").path("creationTimestamp").asText());
    return InstalledSite.stream(pod.path("status").path("conditions"))
        .filter(each -> each.path("type").asText().equals("Ready"))
        .map(each -> Instant.parse(each.path("lastTransitionTime").asText()))
        .findFirst()
        .map(ready -> Duration.between(created, ready))
        .orElseThrow();
  }

  private static int restarts(JsonNode pod) {
    return InstalledSite.stream(pod.path("status").path("containerStatuses"))
        .mapToInt(each -> each.path("restartCount").asInt())
        .sum();
  }

  private List<String> warnings(String namespace) {
    return InstalledSite.stream(
            installed()
                .api()
                .get("/api/v1/namespaces/" + namespace + "/events")
                .orElseThrow()
                .path("items"))
        .filter(each -> each.path("type").asText().equals("Warning"))
        .map(
            each ->
                each.path("involvedObject").path("name").asText()
                    + ": "
                    + each.path("message").asText())
        .toList();
  }

  private static String name(JsonNode pod) {
    return pod.path("metadata").path("name").asText();
  }

  @Test
  @Order(0)
  @DisplayName("their processes have the user, the group and no right of the charts")
  void processesHaveNoRights(Seen seen) {
    for (String namespace : List.of(Installation.CORE, Installation.CHECKS)) {
      for (JsonNode pod : installed().pods(namespace)) {
        Map<String, String> process = process(namespace, pod);
        assertThat(process.get("Uid")).as("users of %s: %s", name(pod), process).isEqualTo(four());
        assertThat(process.get("Gid")).as("groups of %s", name(pod)).isEqualTo(four());
        assertThat(process.getOrDefault("Groups", "?").trim())
            .as("more of %s", name(pod))
            .isIn("", USER);
        assertThat(process)
            .as("%s", name(pod))
            .containsEntry("NoNewPrivs", "1")
            .containsEntry("Seccomp", "2")
            .containsEntry("CapEff", "0000000000000000")
            .containsEntry("CapBnd", "0000000000000000");
        assertThat(process.get("Root")).as("its root is mounted").startsWith("ro");
      }
    }
    seen.note("user and group " + USER + ", seccomp filter, no capability, root read-only");
  }

  private static String four() {
    return String.join(" ", USER, USER, USER, USER);
  }

  /** Of the first process, by a container that is added to the pod and sees its processes. */
  private Map<String, String> process(String namespace, JsonNode pod) {
    String container = pod.path("spec").path("containers").path(0).path("name").asText();
    installed()
        .api()
        .patch(
            "/api/v1/namespaces/" + namespace + "/pods/" + name(pod) + "/ephemeralcontainers",
            PatchFormat.MERGE,
            InstalledSite.json(
                """
                {"spec": {"ephemeralContainers": [{"name": "facts", "image": "%s",
                  "targetContainerName": "%s",
                  "securityContext": {"allowPrivilegeEscalation": false},
                  "command": ["sh", "-c",
                    "cat /proc/1/status; awk '$5 == \\"/\\" {print \\"Root:\\", $6}' /proc/1/mountinfo; echo End: of facts"]}]}}
                """
                    .formatted(installed().image(), container)));
    String printed =
        await()
            .alias("the processes of " + name(pod) + " have been looked at")
            .atMost(Duration.ofMinutes(1))
            .ignoreExceptionsInstanceOf(RefusedRequestException.class)
            .until(
                () -> installed().log(namespace, name(pod), "facts"),
                text -> text.contains("End:"));
    Map<String, String> facts = new TreeMap<>();
    printed
        .lines()
        .map(line -> line.split(":", 2))
        .filter(parts -> parts.length == 2)
        .forEach(parts -> facts.put(parts[0], parts[1].trim().replace('\t', ' ')));
    return facts;
  }

  @Test
  @Order(10)
  @DisplayName("the only replica is killed: Jobs are refused until the next is ready")
  void killed(Seen seen) {
    try (StoryWorld world = new StoryWorld(site, "refused");
        Requests requests = Requests.start(installed().api(), world.job("asked").cpu("1m"))) {
      world.queue("60m");
      world.until("Jobs are taken", () -> requests.answered() > 0);
      Set<String> killed = names(installed().pods(Installation.CORE));
      long begin = System.nanoTime();
      installed().killCore();
      world.until("Jobs are refused", () -> !requests.refused().isEmpty());
      world.until(
          "another pod is ready",
          () ->
              installed().pods(Installation.CORE).stream()
                  .anyMatch(pod -> !killed.contains(name(pod)) && InstalledSite.isReady(pod)));
      world.createWhenServed(world.job("next").cpu("60m").runs(1));
      world.skipUntilComplete("next");
      requests.stop();

      Duration refused = requests.refusedUntil(begin);
      seen.note(
          "refused for " + refused.toMillis() + " ms, " + requests.refused().size() + " Jobs");
    }
  }

  private static Set<String> names(List<JsonNode> pods) {
    return pods.stream().map(InstalledStories::name).collect(Collectors.toSet());
  }

  @Test
  @Order(20)
  @DisplayName("two replicas are upgraded and set back without one refused request")
  void upgrade(Seen seen) {
    Installation installation = installed().installation();
    installation.upgradeCore("controllerManager: {replicas: 2}");
    try (StoryWorld world = new StoryWorld(site, "upgrade");
        Ends ends = Ends.watch(installed())) {
      world.queue("60m");
      world.create(world.job("running").cpu("60m").runs(60));
      world.until("it runs", () -> world.jobs.ready("running", 1));
      try (Requests requests = Requests.start(installed().api(), world.job("asked").cpu("1m"))) {
        installation.upgradeCore("controllerManager: {manager: {podAnnotations: {version: b}}}");
        int first = requests.answered();
        installation.upgradeCore("controllerManager: {manager: {podAnnotations: {version: a}}}");
        requests.stop();
        assertThat(requests.refused()).isEmpty();
        assertThat(first).isPositive();
        seen.note(requests.answered() + " Jobs tried meanwhile, none refused");
      }
      world.skipUntilComplete("running");
      assertThat(world.jobs.pods("running")).hasSize(1);
      world.until("four pods have ended", () -> ends.statuses().size() >= 4);
      assertThat(ends.statuses()).allMatch(each -> each.endsWith(" 0"));
      seen.note("each of " + ends.statuses().size() + " pods ended with status 0");
    }
  }

  /** With which status the core's containers have ended. */
  private record Ends(Set<String> statuses, Watch watch) implements AutoCloseable {
    static Ends watch(InstalledSite site) {
      Set<String> statuses = new ConcurrentSkipListSet<>();
      String pods = "/api/v1/namespaces/" + Installation.CORE + "/pods";
      String version =
          site.api().get(pods).orElseThrow().path("metadata").path("resourceVersion").asText();
      Watch watch =
          site.api()
              .watch(
                  pods,
                  version,
                  event ->
                      InstalledSite.stream(
                              event.path("object").path("status").path("containerStatuses"))
                          .map(each -> each.path("state").path("terminated"))
                          .filter(JsonNode::isObject)
                          .forEach(
                              end ->
                                  statuses.add(
                                      name(event.path("object"))
                                          + " "
                                          + end.path("exitCode").asInt())),
                  () -> {});
      return new Ends(statuses, watch);
    }

    @Override
    public void close() {
      watch.close();
    }
  }

  @Test
  @Order(30)
  @DisplayName("uninstalled: what runs goes on, and nothing is left but definitions")
  void uninstall(Seen seen) {
    List<String> kept = new ArrayList<>();
    try (ClusterContents contents = ClusterContents.of(site.kubeconfig());
        StoryWorld world = new StoryWorld(site, "uninstall")) {
      world.queue("60m");
      world.create(world.job("running").cpu("60m").runs(20));
      world.until("it runs", () -> world.jobs.ready("running", 1));
      installed().installation().uninstall();
      world.skipUntilComplete("running");
      assertThat(world.jobs.pods("running")).hasSize(1);
      world.until(
          "the pods of core and checks are gone",
          () ->
              Stream.of(Installation.CORE, Installation.CHECKS)
                  .allMatch(namespace -> installed().pods(namespace).isEmpty()));

      Set<String> left = ofOurs(contents);
      left.removeAll(before);
      left.removeIf(each -> each.contains(StoryWorld.PREFIX));
      kept.addAll(left);
      // The core that would let them go isn't there any more.
      installed().withoutFinalizers();
    }
    assertThat(kept).isNotEmpty().allMatch(each -> each.startsWith("customresourcedefinitions "));
    seen.note("left: " + kept.size() + " definitions");
  }
}
