// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.stories;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.client.PatchFormat;
import io.github.kueue4j.testkit.client.RefusedRequestException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** A cluster with nodes, into which the charts are installed; all of it is removed in the end. */
final class InstalledSite implements Site {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String GATE = StoryWorld.PREFIX + "gate";
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Kinds of which objects may wait for a core that isn't there any more. */
  private static final List<String> GUARDED =
      List.of(
          "/apis/kueue.x-k8s.io/v1beta2/workloads",
          "/apis/kueue.x-k8s.io/v1beta2/localqueues",
          "/apis/kueue.x-k8s.io/v1beta2/clusterqueues",
          "/apis/kueue.x-k8s.io/v1beta2/resourceflavors",
          "/apis/kueue.x-k8s.io/v1beta2/admissionchecks");

  private final InstantSource clock = InstantSource.system();
  private final Settings settings;
  private final JsonApi api;
  private final Installation installation;

  /**
   * What a run is told.
   *
   * @param kubeconfig of an administrator
   * @param image of the core and the checks; the charts' own if empty
   * @param jobImage of Jobs' pods, with busybox' shell and web server
   * @param loseNode a line for a shell that stops a kubelet, and one that starts it, of {@code
   *     node}
   * @param keep whether everything stays in the end
   */
  record Settings(
      Path kubeconfig,
      Optional<String> image,
      String jobImage,
      Optional<NodeCommands> loseNode,
      boolean keep) {}

  /**
   * How a node is lost and comes back.
   *
   * @param node its name
   * @param lose a line for a shell
   * @param bringBack a line for a shell
   */
  record NodeCommands(String node, String lose, String bringBack) {}

  private InstalledSite(Settings settings, JsonApi api) {
    this.settings = settings;
    this.api = api;
    this.installation = new Installation(settings.kubeconfig(), settings.image());
  }

  static InstalledSite open(Settings settings) {
    InstalledSite site = new InstalledSite(settings, JsonApi.of(settings.kubeconfig()));
    try {
      site.requireNoOther();
      site.set();
      return site;
    } catch (RuntimeException | Error e) {
      site.close();
      throw e;
    }
  }

  /** Definitions that a run of this kind has left are removed; others are left alone. */
  private void requireNoOther() {
    if (api.get(namespace(Installation.CORE)).isPresent()) {
      remove();
    } else if (api.get(DEFINITIONS + "/workloads.kueue.x-k8s.io").isPresent()) {
      throw new IllegalStateException(
          "the cluster at "
              + api.server()
              + " has definitions of kueue.x-k8s.io already, and with them maybe queues and"
              + " another core; take a cluster without them");
    }
  }

  private void set() {
    api.create(
        "/api/v1/namespaces",
        json(
            "{\"apiVersion\": \"v1\", \"kind\": \"Namespace\", \"metadata\": {\"name\": \""
                + GATE
                + "\"}}"));
    List<String> objects = Gate.objects(GATE, settings.jobImage());
    for (int i = 0; i < objects.size(); i++) {
      api.create(
          "/api/v1/namespaces/" + GATE + "/" + List.of("configmaps", "pods", "services").get(i),
          json(objects.get(i)));
    }
    await()
        .alias("the pod " + GATE + "/gate is ready: its image is " + settings.jobImage())
        .atMost(PATIENCE)
        .until(() -> isReady(pod(GATE, "gate")));
    installation.install();
  }

  private static String namespace(String name) {
    return "/api/v1/namespaces/" + name;
  }

  static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Stream<JsonNode> stream(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }

  static boolean isReady(JsonNode pod) {
    return stream(pod.path("status").path("conditions"))
        .anyMatch(
            each ->
                each.path("type").asText().equals("Ready")
                    && each.path("status").asText().equals("True"));
  }

  JsonApi api() {
    return api;
  }

  Installation installation() {
    return installation;
  }

  JsonNode pod(String namespace, String name) {
    return api.get(namespace(namespace) + "/pods/" + name).orElseThrow();
  }

  /** The pods of a namespace that aren't told to end. */
  List<JsonNode> pods(String namespace) {
    return stream(api.get(namespace(namespace) + "/pods").orElseThrow().path("items"))
        .filter(pod -> !pod.path("metadata").has("deletionTimestamp"))
        .toList();
  }

  @Override
  public Path kubeconfig() {
    return settings.kubeconfig();
  }

  /** The machine's, which must agree with the cluster's to the second. */
  @Override
  public Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS);
  }

  @Override
  public Duration patience() {
    return PATIENCE;
  }

  @Override
  public String image() {
    return settings.jobImage();
  }

  @Override
  public String gate() {
    return Gate.url(GATE);
  }

  /** Removes the core's pods at once: their kubelets kill them, and new ones come. */
  @Override
  public void killCore() {
    try (ClusterConnection connection = Target.of(kubeconfig()).connect("killer")) {
      for (JsonNode pod : pods(Installation.CORE)) {
        connection
            .api()
            .delete(
                CoreTypes.POD,
                new ObjectKey(Installation.CORE, pod.path("metadata").path("name").asText()),
                DeleteOptions.background().withGracePeriodSeconds(0));
      }
    }
  }

  @Override
  public Optional<LossOfNode> lossOfNode() {
    return settings.loseNode().map(InstalledSite::lossOfNode);
  }

  private static LossOfNode lossOfNode(NodeCommands commands) {
    return new LossOfNode() {
      @Override
      public String node() {
        return commands.node();
      }

      @Override
      public void lose() {
        run(commands.lose());
      }

      @Override
      public void bringBack() {
        run(commands.bringBack());
      }
    };
  }

  private static void run(String line) {
    try {
      Process process =
          new ProcessBuilder("sh", "-c", line)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      process.getOutputStream().close();
      int status = process.waitFor();
      if (status != 0) {
        throw new IllegalStateException("'" + line + "' ended with status " + status);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run '" + line + "'", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while '" + line + "' ran", e);
    }
  }

  @Override
  public void close() {
    try {
      if (!settings.keep()) {
        remove();
      }
    } finally {
      api.close();
    }
  }

  /** Removes everything that a run makes, whatever became of it, as docs/guides/install.md says. */
  private void remove() {
    installation.uninstall();
    withoutFinalizers();
    for (JsonNode definition : stream(api.get(DEFINITIONS).orElseThrow().path("items")).toList()) {
      String name = definition.path("metadata").path("name").asText();
      if (name.endsWith(".kueue.x-k8s.io") || name.endsWith(".checks.kueue4j.io")) {
        api.delete(DEFINITIONS + "/" + name);
      }
    }
    for (String role : List.of("kueue-batch-admin-role", "kueue-batch-user-role")) {
      api.delete("/apis/rbac.authorization.k8s.io/v1/clusterroles/" + role);
    }
    List<String> namespaces =
        stream(api.get("/api/v1/namespaces").orElseThrow().path("items"))
            .map(each -> each.path("metadata").path("name").asText())
            .filter(name -> name.startsWith(StoryWorld.PREFIX))
            .toList();
    namespaces.forEach(name -> api.delete(namespace(name)));
    await()
        .alias("the namespaces " + namespaces + " are gone")
        .atMost(PATIENCE)
        .until(() -> namespaces.stream().noneMatch(name -> api.get(namespace(name)).isPresent()));
  }

  /** Objects go that wait for a core. */
  void withoutFinalizers() {
    GUARDED.forEach(this::withoutFinalizers);
  }

  private void withoutFinalizers(String kind) {
    for (JsonNode each :
        stream(api.get(kind).map(list -> list.path("items")).orElseGet(JSON::createArrayNode))
            .toList()) {
      JsonNode metadata = each.path("metadata");
      if (metadata.has("finalizers")) {
        String path =
            metadata.has("namespace")
                ? kind.replace(
                    "v1beta2/", "v1beta2/namespaces/" + metadata.path("namespace").asText() + "/")
                : kind;
        try {
          api.patch(
              path + "/" + metadata.path("name").asText(),
              PatchFormat.MERGE,
              json("{\"metadata\": {\"finalizers\": null}}"));
        } catch (RefusedRequestException e) {
          if (!e.isNotFound()) {
            throw e;
          }
        }
      }
    }
  }

  /** What a container has printed so far. */
  String log(String namespace, String pod, String container) {
    return api.get(namespace(namespace) + "/pods/" + pod + "/log?container=" + container)
        .orElseThrow()
        .path("message")
        .asText();
  }
}
