// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.runtime.ErrorBackoff;
import io.github.kueue4j.runtime.ScriptedServer;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.runtime.patch.JsonPatch;
import io.github.kueue4j.runtime.patch.JsonPointer;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.runtime.patch.Patch;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KubernetesApiTest {

  private static final ObjectKey A = new ObjectKey("default", "a");

  private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final ClusterConnection connection =
      ClusterConnection.builder("test").url(server.uri()).connect();
  private final KubernetesApi api = connection.api();

  @AfterEach
  void close() {
    connection.close();
    server.close();
  }

  private V1ConfigMap create(String name, Map<String, String> labels) {
    return api.create(
        CoreTypes.CONFIG_MAP,
        new V1ConfigMap()
            .metadata(new V1ObjectMeta().namespace("default").name(name).labels(labels))
            .data(Map.of("k", "v")));
  }

  private static V1ConfigMap withData(V1ConfigMap map, String key, String value) {
    return new V1ConfigMap()
        .metadata(map.getMetadata())
        .data(new TreeMap<>(map.getData()))
        .putDataItem(key, value);
  }

  @Test
  void createsReadsPatchesAndDeletes() {
    V1ConfigMap created = create("a", Map.of());
    assertThat(created.getMetadata().getUid()).isNotEmpty();
    assertThat(created.getKind()).isEqualTo("ConfigMap");

    V1ConfigMap patched =
        api.patch(
            CoreTypes.CONFIG_MAP, GuardedPatch.between(created, withData(created, "x/y", "new")));
    assertThat(patched.getData()).containsEntry("k", "v").containsEntry("x/y", "new");
    assertThat(api.get(CoreTypes.CONFIG_MAP, A).orElseThrow().getData())
        .isEqualTo(patched.getData());

    assertThat(api.delete(CoreTypes.CONFIG_MAP, A, DeleteOptions.background())).isTrue();
    assertThat(api.get(CoreTypes.CONFIG_MAP, A)).isEmpty();
    assertThat(api.delete(CoreTypes.CONFIG_MAP, A, DeleteOptions.background())).isFalse();
  }

  @Test
  void anInterruptKeepsTheInterruptFlag() {
    try (ClusterConnection fresh =
        ClusterConnection.builder("interrupted").url(server.uri()).connect()) {
      Thread.currentThread().interrupt();

      assertThatThrownBy(() -> fresh.api().get(CoreTypes.CONFIG_MAP, A))
          .isInstanceOf(KubernetesApiException.Unreachable.class);

      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void aStaleGuardIsAConflictAndAnEmptyPatchSendsNoRequest() {
    V1ConfigMap old = create("a", Map.of());
    api.patch(CoreTypes.CONFIG_MAP, GuardedPatch.between(old, withData(old, "x", "1")));

    assertThatThrownBy(
            () ->
                api.patch(CoreTypes.CONFIG_MAP, GuardedPatch.between(old, withData(old, "y", "2"))))
        .isInstanceOf(KubernetesApiException.Conflict.class)
        .hasMessageStartingWith("patch configmaps default/a: 409 ");

    long before = server.requests().total();
    assertThat(api.patch(CoreTypes.CONFIG_MAP, GuardedPatch.between(old, old))).isSameAs(old);
    assertThat(server.requests().total()).isEqualTo(before);
  }

  @Test
  void listsAllPagesAndSelects() {
    IntStream.range(0, 7)
        .forEach(i -> create("map-" + i, Map.of("parity", i % 2 == 0 ? "even" : "odd")));

    ResourceList<V1ConfigMap> odd =
        api.list(
            CoreTypes.CONFIG_MAP,
            ListOptions.inNamespace("default").withLabelSelector("parity=odd").withPageSize(2));
    assertThat(odd.items()).extracting(m -> m.getMetadata().getName()).hasSize(3);
    assertThat(odd.resourceVersion()).isNotEmpty();

    ResourceList<V1ConfigMap> one =
        api.list(CoreTypes.CONFIG_MAP, ListOptions.all().withFieldSelector("metadata.name=map-4"));
    assertThat(one.items()).singleElement().extracting(V1ConfigMap::getKind).isEqualTo("ConfigMap");
  }

  @Test
  void distinguishesRefusals() {
    create("a", Map.of());
    assertThatThrownBy(() -> create("a", Map.of()))
        .isInstanceOf(KubernetesApiException.AlreadyExists.class)
        .hasMessageContaining("create configmaps default/a");
    assertThatThrownBy(() -> create("Not A Name", Map.of()))
        .isInstanceOfSatisfying(
            KubernetesApiException.Invalid.class, e -> assertThat(e.reason()).isEqualTo("Invalid"));
    server.applyCrds(Crds.kueue());
    api.create(
        KueueTypes.RESOURCE_FLAVOR,
        KueueJson.fromJson("{\"metadata\":{\"name\":\"f\"}}", ResourceFlavor.class));
    var wrong = new JsonObject();
    wrong.addProperty("spec", "no object");
    assertThatThrownBy(
            () ->
                api.patch(
                    KueueTypes.RESOURCE_FLAVOR, ObjectKey.cluster("f"), new MergePatch(wrong)))
        .isInstanceOf(KubernetesApiException.Invalid.class)
        .hasMessageContaining("spec");
    assertThatThrownBy(() -> api.patch(CoreTypes.CONFIG_MAP, A, JsonPatch.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("an empty patch of configmaps default/a");
  }

  @Test
  void anUnservedTypeIsNotAMissingObject() {
    ResourceType<ResourceFlavor> flavors = KueueTypes.RESOURCE_FLAVOR;
    assertThat(api.serves(flavors)).isFalse();
    assertThatThrownBy(() -> api.get(flavors, ObjectKey.cluster("f")))
        .isInstanceOf(KubernetesApiException.NotFound.class);
    assertThatThrownBy(
            () -> api.delete(flavors, ObjectKey.cluster("f"), DeleteOptions.background()))
        .isInstanceOf(KubernetesApiException.NotFound.class);

    server.applyCrds(Crds.kueue());

    assertThat(api.serves(flavors)).isTrue();
    assertThat(api.serves(flavors.inVersion("v9"))).isFalse();
    assertThat(api.get(flavors, ObjectKey.cluster("f"))).isEmpty();
    assertThat(api.serves(CoreTypes.CONFIG_MAP)).isTrue();
  }

  /** Each request finds the version that is served, also after it has been withdrawn. */
  @Test
  void aKindOfSeveralVersionsIsAskedForInOneThatIsServed() {
    server.applyCrds(Crds.kueue());
    ResourceType<ResourceFlavor> flavors =
        KueueTypes.RESOURCE_FLAVOR.inVersion("v9").orInVersions(List.of("v1beta2"));
    ObjectKey key = ObjectKey.cluster("f");
    assertThat(api.serves(flavors)).isTrue();
    assertThat(api.get(flavors, key)).isEmpty();
    ResourceFlavor created =
        api.create(
            flavors, KueueJson.fromJson("{\"metadata\":{\"name\":\"f\"}}", ResourceFlavor.class));
    assertThat(created.getApiVersion()).isEqualTo("kueue.x-k8s.io/v1beta2");
    assertThat(api.list(flavors, ListOptions.all()).items()).hasSize(1);
    assertThat(
            new HttpApi(connection.callsOf(this))
                .patch(
                    flavors,
                    key,
                    new MergePatch(
                        JsonParser.parseString("{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")
                            .getAsJsonObject()))
                .metadata()
                .getLabels())
        .containsEntry("a", "b");
    assertThat(
            new HttpApi(connection.callsOf(this)).delete(flavors, key, DeleteOptions.background()))
        .isTrue();
    assertThatThrownBy(() -> api.get(flavors.inVersion("v9").orInVersions(List.of("v8")), key))
        .isInstanceOf(KubernetesApiException.NotFound.class);
  }

  @Test
  void deletesOnlyWhatThePreconditionsName() {
    V1ConfigMap map = create("a", Map.of());
    assertThatThrownBy(
            () ->
                api.delete(CoreTypes.CONFIG_MAP, A, DeleteOptions.background().withUid("another")))
        .isInstanceOf(KubernetesApiException.Conflict.class);
    assertThatThrownBy(
            () ->
                api.delete(
                    CoreTypes.CONFIG_MAP, A, DeleteOptions.background().withResourceVersion("1")))
        .isInstanceOf(KubernetesApiException.Conflict.class);
    assertThat(
            api.delete(
                CoreTypes.CONFIG_MAP,
                A,
                DeleteOptions.background()
                    .withPropagation(DeleteOptions.Propagation.ORPHAN)
                    .withUid(map.getMetadata().getUid())))
        .isTrue();
  }

  @Test
  void refusesToWriteAStatusThroughTheMainEndpointAndTheOtherWayRound() {
    V1Job job =
        KueueJson.fromJson(
            "{\"metadata\":{\"name\":\"j\",\"resourceVersion\":\"1\"},\"status\":{\"active\":1}}",
            V1Job.class);
    V1Job after =
        KueueJson.fromJson(
            "{\"metadata\":{\"name\":\"j\"},\"status\":{\"active\":2}}", V1Job.class);
    assertThatThrownBy(() -> api.patch(CoreTypes.JOB, GuardedPatch.between(job, after)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("changes the STATUS but this request writes the MAIN only");
  }

  @Test
  void namesTheComponentInTheUserAgent() {
    api.list(CoreTypes.NAMESPACE, ListOptions.all());

    // The server counts a request once it has answered it.
    Awaitility.await().until(() -> !server.requests().byUserAgent().isEmpty());
    assertThat(server.requests().byUserAgent().keySet())
        .allMatch(agent -> agent.startsWith("test/kueue4j-"));
  }

  @Test
  void anUnreachableServerIsOneLineWithTheRemedy() {
    URI nowhere = URI.create("http://127.0.0.1:1");
    assertThatThrownBy(() -> ClusterConnection.builder("test").url(nowhere).connect())
        .isInstanceOf(ClusterConnectionException.class)
        .hasMessageContaining("can't reach the API server at http://127.0.0.1:1")
        .hasMessageContaining("start the cluster")
        .hasMessageNotContaining("\n");
  }

  @Test
  void aServerThatIsNoApiServerIsReported() {
    try (var web = new ScriptedServer((request, answer) -> answer.json(200, "<html>hello</html>"));
        var odd = ClusterConnection.builder("test").url(web.uri()).open()) {
      assertThatThrownBy(() -> odd.api().list(CoreTypes.NODE, ListOptions.all()))
          .isInstanceOf(KubernetesApiException.Malformed.class)
          .hasMessageContaining("is http://127.0.0.1")
          .hasMessageContaining("a Kubernetes API server?");
    }
  }

  /** Sent, a request for the Job {@code ../../../jobs} would list the Jobs of all namespaces. */
  @ParameterizedTest
  @ValueSource(strings = {"../../../jobs", "..", ".", "a/b", "a%2Fb", ""})
  void anObjectWithANameThatChangesThePathDoesNotExist(String name) {
    ObjectKey key = new ObjectKey("default", name);
    Patch patch = new MergePatch(JsonParser.parseString("{\"data\":{}}").getAsJsonObject());
    try (var watched =
            new ScriptedServer(
                (request, answer) -> answer.json(200, ScriptedServer.listJson("1")));
        var client = ClusterConnection.builder("test").url(watched.uri()).open()) {
      assertThat(client.api().get(CoreTypes.JOB, key)).isEmpty();
      assertThat(client.api().delete(CoreTypes.JOB, key, DeleteOptions.background())).isFalse();
      assertThatThrownBy(() -> client.api().patch(CoreTypes.JOB, key, patch))
          .isInstanceOf(KubernetesApiException.NotFound.class)
          .hasMessageContaining("an object's name");
      assertThatThrownBy(() -> client.api().patchStatus(CoreTypes.JOB, key, patch))
          .isInstanceOf(KubernetesApiException.NotFound.class);
      ObjectKey elsewhere = new ObjectKey("..", "a");
      assertThat(client.api().get(CoreTypes.JOB, elsewhere)).isEmpty();
      assertThat(watched.received()).isEmpty();
    }
  }

  @Test
  void noRequestLeavesItsPath() {
    ApiTransport transport = connection.callsOf(this);
    for (String path : List.of("/apis/../version", "/api/v1//pods", "/api/./v1", "/api/v1/a%2Fb")) {
      assertThatThrownBy(() -> transport.request("GET", path, Map.of(), null, HttpApi.JSON))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(path);
    }
  }

  @Test
  void keepsTheRetryAfterOfAThrottlingServer() {
    try (var busy =
            new ScriptedServer(
                (request, answer) ->
                    answer.header("Retry-After", "7").status(429, "TooManyRequests", "slow down"));
        var patient = ClusterConnection.builder("test").url(busy.uri()).open()) {
      assertThatThrownBy(() -> patient.api().get(CoreTypes.NODE, A))
          .isInstanceOfSatisfying(
              KubernetesApiException.TooManyRequests.class,
              e -> assertThat(e.retryAfter()).isEqualTo(Duration.ofSeconds(7)))
          .hasMessageContaining("slow down");
    }
  }

  @Test
  void aThrottlingServerNeedNotSayForHowLong() {
    try (var busy =
            new ScriptedServer(
                (request, answer) -> answer.status(429, "TooManyRequests", "slow down"));
        var patient = ClusterConnection.builder("test").url(busy.uri()).open()) {
      assertThatThrownBy(() -> patient.api().get(CoreTypes.NODE, A))
          .isInstanceOfSatisfying(
              KubernetesApiException.TooManyRequests.class,
              e -> assertThat(e.retryAfter()).isNull());
    }
  }

  @Test
  void rereadsAfterAContinueTokenExpired() {
    try (var forgetful = serverWhoseTokensExpire(1);
        var client = ClusterConnection.builder("test").url(forgetful.uri()).open()) {
      ResourceList<V1ConfigMap> all = client.api().list(CoreTypes.CONFIG_MAP, ListOptions.all());

      assertThat(all.items()).map(ObjectKey::of).map(ObjectKey::name).containsExactly("a", "b");
      assertThat(forgetful.received())
          .map(request -> request.query().contains("continue="))
          .containsExactly(false, true, false, true);
    }
  }

  @Test
  void givesUpWhereTheContinueTokenExpiresTwice() {
    try (var forgetful = serverWhoseTokensExpire(Integer.MAX_VALUE);
        var client = ClusterConnection.builder("test").url(forgetful.uri()).open()) {
      assertThatThrownBy(() -> client.api().list(CoreTypes.CONFIG_MAP, ListOptions.all()))
          .isInstanceOf(KubernetesApiException.Gone.class);
      assertThat(forgetful.received()).as("tried twice").hasSize(4);
    }
  }

  /** Lists two config maps on two pages, of which it refuses the second so many times. */
  private static ScriptedServer serverWhoseTokensExpire(int times) {
    AtomicInteger expired = new AtomicInteger();
    return new ScriptedServer(
        (request, answer) -> {
          if (!request.query().contains("continue=")) {
            answer.json(
                200,
                "{\"metadata\":{\"resourceVersion\":\"5\",\"continue\":\"t\"},\"items\":["
                    + ScriptedServer.configMap("a", "1", "x")
                    + "]}");
          } else if (expired.getAndIncrement() < times) {
            answer.status(410, "Expired", "token too old");
          } else {
            answer.json(200, ScriptedServer.listJson("5", ScriptedServer.configMap("b", "2", "y")));
          }
        });
  }

  @Test
  void optionsAreChecked() {
    assertThatThrownBy(() -> ListOptions.all().withPageSize(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(
            List.of(
                JsonPointer.of("a", "b/c").text(),
                JsonPointer.ROOT.member("~").element(3).end().text()))
        .containsExactly("/a/b~1c", "/~0/3/-");
    assertThatThrownBy(
            () -> new JsonPatch.Operation(JsonPatch.Kind.ADD, "no/slash", new JsonPrimitive(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(new ErrorBackoff(Duration.ofSeconds(1), Duration.ofSeconds(5)).after(1))
        .isEqualTo(Duration.ofSeconds(1));
    assertThat(new ErrorBackoff(Duration.ofSeconds(1), Duration.ofSeconds(5)).after(1_000_000))
        .isEqualTo(Duration.ofSeconds(5));
  }
}
