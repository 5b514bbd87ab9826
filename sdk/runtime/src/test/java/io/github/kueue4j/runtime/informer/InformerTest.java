// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.informer;

import static io.github.kueue4j.runtime.ScriptedServer.bookmark;
import static io.github.kueue4j.runtime.ScriptedServer.configMap;
import static io.github.kueue4j.runtime.ScriptedServer.listJson;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.ScriptedServer;
import io.github.kueue4j.runtime.ScriptedServer.Answer;
import io.github.kueue4j.runtime.ScriptedServer.Received;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testdefaults.Patience;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

@Tag("quick")
@ExpectedLog(
    level = Level.ERROR,
    logger = "CachedInformer",
    message = "An informer's handler threw an exception")
@ExpectedLog(
    level = Level.ERROR,
    logger = "CachedInformer",
    message = "An informer's index function threw")
@ExpectedLog(level = Level.ERROR, logger = "UnreadableObjects", message = "Can't read an object")
@ExpectedLog(logger = "KindPresence", message = "The server doesn't serve this resource any more")
@ExpectedLog(logger = "CachedInformer", message = "Listing or watching failed; retrying")
class InformerTest {
  private static final ResourceType<V1ConfigMap> THING =
      ResourceType.of("example.com/v1", "Thing", V1ConfigMap.class);

  private static final ObjectKey A = new ObjectKey("default", "a");

  private final BlockingQueue<Answer> watches = new LinkedBlockingQueue<>();
  private volatile String list = listJson("10", configMap("a", "1", "one"));
  private volatile boolean served = true;
  private final ScriptedServer server =
      new ScriptedServer(
          (request, answer) -> {
            if (!served && request.path().equals("/apis")) {
              answer.json(200, "{\"kind\":\"APIGroupList\",\"groups\":[]}");
            } else if (!served) {
              answer.status(404, "NotFound", "the server could not find the requested resource");
            } else if (request.isWatch()) {
              watches.add(answer.open());
            } else {
              answer.json(200, list);
            }
          });
  private final ClusterConnection connection =
      ClusterConnection.builder("test").url(server.uri()).open();
  private final Informers informers = Informers.on(connection, Duration.ofMinutes(5));
  private final List<String> changes = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    informers.close();
    connection.close();
    server.close();
  }

  private Informer<V1ConfigMap> started() throws InterruptedException {
    Informer<V1ConfigMap> informer =
        informers
            .of(CoreTypes.CONFIG_MAP)
            .inNamespace("default")
            .labelSelector("app=x")
            .index("value", map -> List.of(map.getData().getOrDefault("value", "")))
            .register();
    informer.onChange(change -> changes.add(describe(change)));
    informers.start();
    informers.awaitSynced(Patience.LIMIT);
    return informer;
  }

  private static String describe(Change<V1ConfigMap> change) {
    return switch (change) {
      case Change.Added<V1ConfigMap> added -> "added " + value(added.object());
      case Change.Updated<V1ConfigMap> updated ->
          "updated " + value(updated.before()) + "->" + value(updated.object());
      case Change.Deleted<V1ConfigMap> deleted ->
          "deleted " + value(deleted.object()) + (deleted.missed() ? " (missed)" : "");
    };
  }

  private static String value(V1ConfigMap map) {
    return map.getData().getOrDefault("value", "");
  }

  private Answer watch() throws InterruptedException {
    Answer watch = watches.poll(60, TimeUnit.SECONDS);
    assertThat(watch).as("a watch within 60 s").isNotNull();
    return watch;
  }

  @Test
  void deliversChangesInOrderAfterTheCacheShowsThem() throws InterruptedException {
    Informer<V1ConfigMap> informer = started();
    assertThat(changes).as("synced means that handlers saw the list").containsExactly("added one");

    Answer watch = watch();
    watch.event("MODIFIED", configMap("a", "11", "two"));
    watch.event("ADDED", configMap("b", "12", "new"));
    watch.event("DELETED", configMap("a", "13", "two"));
    await()
        .untilAsserted(
            () ->
                assertThat(changes)
                    // In order per object; between objects there is none.
                    .containsSubsequence("added one", "updated one->two", "deleted two")
                    .contains("added new")
                    .hasSize(4));
    assertThat(informer.get(A)).isEmpty();
    assertThat(informer.byIndex("value", "new")).hasSize(1);
    assertThat(informer.byIndex("value", "one")).isEmpty();
    assertThatThrownBy(() -> informer.byIndex("nonsense", "x"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Reading idle watches to their end would take 100 ms each, 30 s for all. */
  @Test
  void closingDoesNotReadIdleWatchesToTheirEnd() throws InterruptedException {
    int many = 300;
    for (int i = 0; i < many; i++) {
      informers.of(CoreTypes.CONFIG_MAP).register();
    }
    informers.start();
    informers.awaitSynced(Patience.LIMIT);
    for (int i = 0; i < many; i++) {
      watch();
    }

    assertTimeoutPreemptively(Duration.ofSeconds(29), informers::close);
  }

  @Test
  void selectsByNamespaceAndLabelsInListsAndWatches() throws InterruptedException {
    started();
    watch();
    assertThat(server.received())
        .hasSize(2)
        .allMatch(request -> request.path().equals("/api/v1/namespaces/default/configmaps"))
        .allMatch(request -> request.query().contains("labelSelector=app=x"));
    assertThat(server.received().get(1).query())
        .contains("resourceVersion=10")
        .contains("allowWatchBookmarks=true");
  }

  @Test
  void resumesABrokenWatchFromTheLastBookmarkWithoutListing() throws InterruptedException {
    started();
    watch().event("BOOKMARK", bookmark("50")).raw("{\"type\":\"MODI").end();

    Answer second = watch();
    assertThat(server.count(Received::isList)).isEqualTo(1);
    assertThat(server.received().getLast().query()).contains("resourceVersion=50");
    second.event("MODIFIED", configMap("a", "51", "after"));
    await().untilAsserted(() -> assertThat(changes).contains("updated one->after"));
  }

  @Test
  void anObjectThatCanNoLongerBeParsedIsNotReportedAsDeleted() throws InterruptedException {
    Informer<V1ConfigMap> informer = started();
    String odd = configMap("a", "90", "odd").replace("{\"value\":\"odd\"}", "[5]");
    list = listJson("91", odd, configMap("b", "91", "new"));
    watch().event("ERROR", ScriptedServer.statusJson(410, "Expired", "too old")).end();

    await().untilAsserted(() -> assertThat(changes).containsExactly("added one", "added new"));
    assertThat(informer.get(new ObjectKey("default", "a"))).isPresent();
  }

  @Test
  void trimGetsTheCachedObject() throws InterruptedException {
    List<String> seen = new CopyOnWriteArrayList<>();
    Informer<V1ConfigMap> informer =
        informers
            .of(CoreTypes.CONFIG_MAP)
            .trim(
                (read, known) -> {
                  seen.add(
                      known.map(before -> before.getData().get("kept")).orElse("nothing")
                          + " > "
                          + read.getData().get("value"));
                  return read.putDataItem("kept", read.getData().get("value"));
                })
            .register();
    informers.start();
    informers.awaitSynced(Patience.LIMIT);
    watch().event("MODIFIED", configMap("a", "50", "two"));

    await()
        .untilAsserted(
            () -> assertThat(informer.get(A).orElseThrow().getData()).containsEntry("kept", "two"));
    assertThat(seen).containsExactly("nothing > one", "one > two");
  }

  @Test
  void aTransformNeverSeesABookmark() throws InterruptedException {
    informers
        .of(CoreTypes.CONFIG_MAP)
        .transform(map -> map.data(Map.copyOf(map.getData())))
        .register();
    informers.start();
    informers.awaitSynced(Patience.LIMIT);
    watch().event("BOOKMARK", bookmark("50")).end();

    assertThat(watch()).isNotNull();
    assertThat(server.received().getLast().query()).contains("resourceVersion=50");
  }

  @Test
  void reportsARecreatedObjectAsDeletedAndAdded() throws InterruptedException {
    Informer<V1ConfigMap> informer = started();
    String recreated = configMap("a", "90", "reborn").replace("uid-a", "uid-2");
    list = listJson("90", recreated);
    watch().event("ERROR", ScriptedServer.statusJson(410, "Expired", "too old")).end();

    await()
        .untilAsserted(
            () ->
                assertThat(changes)
                    .containsExactly("added one", "deleted one (missed)", "added reborn"));
    assertThat(informer.list()).hasSize(1);
  }

  @Test
  void reportsInTheNextListObjectsThatWereDeletedMeanwhile() throws InterruptedException {
    started();
    list = listJson("90");
    watch().event("ERROR", ScriptedServer.statusJson(410, "Expired", "too old")).end();

    await()
        .untilAsserted(
            () -> assertThat(changes).containsExactly("added one", "deleted one (missed)"));
  }

  /** As a CustomResourceDefinition that is installed later, removed and installed again. */
  @Test
  void anOptionalTypeIsEmptyWhileItIsConfirmedThatTheServerDoesNotServeIt()
      throws InterruptedException {
    served = false;
    try (ManualTime time = ManualTime.create();
        ClusterConnection timed =
            ClusterConnection.builder("test").url(server.uri()).wireTime(time).open();
        Informers own = Informers.on(timed, Duration.ofHours(1))) {
      Informer<V1ConfigMap> informer = own.of(THING).optional().register();
      informer.onChange(change -> changes.add(describe(change)));
      own.start();
      passUntil(time, informer::synced);
      assertThat(informer.health().served()).isFalse();
      passUntil(time, () -> informer.health().failuresInARow() > 2); // Each pause is longer.
      assertThat(server.count(Received::isWatch)).isZero();

      served = true;
      passUntil(time, () -> !watches.isEmpty());
      awaitChanges("added one");
      assertThat(informer.health().served()).isTrue();

      served = false;
      watch().end();
      Instant gone = time.instant();
      passUntil(time, () -> !informer.health().served());
      assertThat(time.instant()).isAfterOrEqualTo(gone.plus(Duration.ofMinutes(2)));
      awaitChanges("added one", "deleted one (missed)");
      assertThat(informer.synced()).isTrue();

      served = true;
      passUntil(time, () -> !watches.isEmpty());
      awaitChanges("added one", "deleted one (missed)", "added one");
    }
  }

  private static void passUntil(ManualTime time, BooleanSupplier expected) {
    await()
        .until(
            () -> {
              time.advance(Duration.ofSeconds(5));
              return expected.getAsBoolean();
            });
  }

  private void awaitChanges(String... expected) {
    await().untilAsserted(() -> assertThat(changes).containsExactly(expected));
  }

  @Test
  void aHandlerThatThrowsDoesNotAffectOthers() throws InterruptedException {
    Informer<V1ConfigMap> informer =
        informers.of(CoreTypes.CONFIG_MAP).index("bad", map -> List.of(bad())).register();
    informer.onChange(change -> bad());
    informer.onChange(change -> changes.add(describe(change)));
    informers.start();
    informers.awaitSynced(Patience.LIMIT);

    watch().event("MODIFIED", configMap("a", "11", "two"));
    await()
        .untilAsserted(() -> assertThat(changes).containsExactly("added one", "updated one->two"));
    assertThat(informer.byIndex("bad", "x")).isEmpty();
  }

  private static String bad() {
    throw new IllegalStateException("provoked");
  }

  @Test
  void aLateHandlerGetsTheExistingObjects() throws InterruptedException {
    Informer<V1ConfigMap> informer = started();
    List<String> late = new CopyOnWriteArrayList<>();
    Informer.Registration registration = informer.onChange(change -> late.add(describe(change)));
    assertThat(late).containsExactly("added one");

    registration.close();
    watch().event("MODIFIED", configMap("a", "11", "two"));
    await().untilAsserted(() -> assertThat(changes).contains("updated one->two"));
    assertThat(late).as("after its registration was closed").hasSize(1);
  }

  @Test
  void dropsManagedFieldsAndAppliesTheTransform() throws InterruptedException {
    list =
        listJson(
            "10",
            configMap("a", "1", "one")
                .replace("\"uid\"", "\"managedFields\":[{\"manager\":\"x\"}],\"uid\""));
    Informer<V1ConfigMap> informer =
        informers
            .of(CoreTypes.CONFIG_MAP)
            .transform(map -> map.putDataItem("seen", "yes"))
            .register();
    informers.start();
    informers.awaitSynced(Patience.LIMIT);

    V1ConfigMap map = informer.get(A).orElseThrow();
    assertThat(map.getMetadata().getManagedFields()).isNull();
    assertThat(map.getData()).containsEntry("seen", "yes");
  }
}
