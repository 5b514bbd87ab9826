// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import static io.github.kueue4j.runtime.ScriptedServer.configMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.ScriptedServer;
import io.github.kueue4j.runtime.ScriptedServer.Answer;
import io.github.kueue4j.runtime.ScriptedServer.Received;
import io.github.kueue4j.runtime.informer.Change;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testdefaults.LogEntry;
import io.github.kueue4j.testdefaults.Patience;
import io.github.kueue4j.testdefaults.TestLog;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.Level;

/** An object that can't be read stops no other object from being read, in a list or a watch. */
@ExpectedLog(level = Level.ERROR, logger = "UnreadableObjects", message = "Can't read an object")
class UnreadableObjectsTest {

  private static final ObjectKey B = new ObjectKey("default", "b");

  private final BlockingQueue<Answer> watches = new LinkedBlockingQueue<>();
  private volatile byte[] list = Odd.list(List.of());
  private volatile byte[] single = Odd.bytes("{}");
  private final ScriptedServer server =
      new ScriptedServer(
          (request, answer) -> {
            if (request.isWatch()) {
              watches.add(answer.open());
            } else {
              answer.json(200, request.path().endsWith("/configmaps") ? list : single);
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

  /** The form of an object named b, with its version in place of {@code VERSION}. */
  private static Arguments form(String name, boolean readable, String json) {
    return Arguments.of(Named.of(name, json), readable);
  }

  /** Objects whose brackets and quotes match, so that it is known where they end. */
  static Stream<Arguments> objects() {
    String map = Odd.map("b", "VERSION", "", "");
    return Stream.of(
        form("managed fields 300 deep", true, Odd.deeplyManaged("b", "VERSION", 300)),
        form("managed fields 9,999 deep", true, Odd.deeplyManaged("b", "VERSION", 9_999)),
        form(
            "an unknown field 9,990 deep",
            true,
            Odd.map("b", "VERSION", "", ",\"unknown\":" + Odd.deep(9_990))),
        form("a list 9,990 deep", true, map.replace("}}", "},\"l\":" + list(9_990) + "}")),
        form("deeper than a server stores", false, Odd.map("b", "VERSION", "", tooDeep())),
        form(
            "1.5 MB",
            true,
            Odd.map("b", "VERSION", "", ",\"data\":{\"v\":\"" + "x".repeat(1_500_000) + "\"}")),
        form("duplicate keys", false, Odd.map("b", "VERSION", "", ",\"data\":{\"v\":1,\"v\":2}")),
        form("data is a number", false, Odd.map("b", "VERSION", "", ",\"data\":5")),
        form("a value is a list", false, Odd.map("b", "VERSION", "", ",\"data\":{\"v\":[]}")),
        form("labels are a text", false, Odd.map("b", "VERSION", "\"labels\":\"x\",", "")),
        form("a label is an object", false, Odd.map("b", "VERSION", "\"labels\":{\"l\":{}},", "")),
        form("invalid UTF-8", true, Odd.map("b", "VERSION", "", ",\"data\":{\"v\":\"~~\"}")),
        form("NaN", true, Odd.map("b", "VERSION", "", ",\"unknown\":NaN")),
        form("a member without value", false, Odd.map("b", "VERSION", "", ",\"data\":{\"v\":}")));
  }

  private static String tooDeep() {
    return ",\"unknown\":" + list(25_000);
  }

  private static String list(int depth) {
    return "[".repeat(depth) + "]".repeat(depth);
  }

  private static byte[] at(String json, int version) {
    return Odd.bytes(json.replace("VERSION", Integer.toString(version)));
  }

  private static byte[] good(String name, int version) {
    return Odd.bytes(configMap(name, Integer.toString(version), "good"));
  }

  @ParameterizedTest
  @MethodSource("objects")
  void aListHasAllOthersInOrder(String json, boolean readable) throws InterruptedException {
    list = Odd.list(List.of(good("a", 1), at(json, 2), good("c", 3)));

    assertThat(connection.api().list(CoreTypes.CONFIG_MAP, ListOptions.all()).items())
        .extracting(map -> map.getMetadata().getName())
        .containsExactlyElementsOf(readable ? List.of("a", "b", "c") : List.of("a", "c"));
    Informer<V1ConfigMap> informer = started();
    assertThat(informer.list()).hasSize(readable ? 3 : 2);
    assertThat(informer.health().unreadable()).isEqualTo(readable ? 0 : 1);
  }

  @ParameterizedTest
  @MethodSource("objects")
  void aWatchGoesOnAfterIt(String json, boolean readable) throws InterruptedException {
    Informer<V1ConfigMap> informer = started();
    Answer watch = watch();
    event(watch, "ADDED", good("a", 10));
    event(watch, "ADDED", at(json, 11));
    event(watch, "ADDED", good("c", 12));
    await().untilAsserted(() -> assertThat(informer.list()).hasSize(readable ? 3 : 2));
    assertThat(informer.health().unreadable()).isEqualTo(readable ? 0 : 1);
    event(watch, "MODIFIED", at(json, 13));
    watch.end();

    watch = watch();
    assertThat(server.received().getLast().query()).contains("resourceVersion=13");
    assertThat(server.count(Received::isList)).isEqualTo(1);
    event(watch, "DELETED", at(json, 14));
    event(watch, "DELETED", good("a", 15));
    await()
        .untilAsserted(
            () ->
                assertThat(informer.list())
                    .singleElement()
                    .extracting(map -> map.getMetadata().getName())
                    .isEqualTo("c"));
    assertThat(informer.health().unreadable()).isZero();
  }

  @ParameterizedTest
  @MethodSource("objects")
  void theDeletionOfACachedObjectIsUnderstood(String json, boolean readable)
      throws InterruptedException {
    list = Odd.list(List.of(good("b", 1)));
    Informer<V1ConfigMap> informer = started();
    Answer watch = watch();
    event(watch, "MODIFIED", at(json, 11));
    event(watch, "ADDED", good("c", 12));
    await().untilAsserted(() -> assertThat(changes).contains("Added c good"));
    if (!readable) {
      assertThat(informer.get(B).orElseThrow().getData()).containsEntry("value", "good");
    }

    event(watch, "DELETED", at(json, 13));

    await().untilAsserted(() -> assertThat(changes).hasSize(readable ? 4 : 3));
    assertThat(informer.get(B)).isEmpty();
    assertThat(changes).contains("Added b good");
    assertThat(changes.getLast()).startsWith(readable ? "Deleted b" : "Deleted b good");
  }

  @Test
  void anObjectThatIsReadAgainIsForgotten() throws InterruptedException {
    list = Odd.list(List.of(at(Odd.map("b", "VERSION", "", ",\"data\":5"), 1)));
    Informer<V1ConfigMap> informer = started();
    assertThat(informer.health().unreadable()).isOne();

    event(watch(), "MODIFIED", good("b", 2));

    await().untilAsserted(() -> assertThat(informer.get(B)).isPresent());
    assertThat(informer.health().unreadable()).isZero();
  }

  @Test
  void anUnreadableSuccessorOfACachedObjectReplacesIt() throws InterruptedException {
    list = Odd.list(List.of(good("b", 1)));
    Informer<V1ConfigMap> informer = started();
    list = Odd.list(List.of(Odd.bytes(odd(9).replace("uid-b", "uid-2"))));

    watch().event("ERROR", ScriptedServer.statusJson(410, "Expired", "too old")).end();

    await().untilAsserted(() -> assertThat(informer.list()).isEmpty());
    assertThat(informer.health().unreadable()).isOne();
  }

  private static String odd(int version) {
    return Odd.map("b", Integer.toString(version), "", ",\"data\":5");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "~~~ {{{ \" [",
        "5",
        "[]",
        "null",
        "NaN",
        "{}",
        "{\"type\":5,\"object\":6}",
        "{\"type\":\"ADDED\"}",
        "{\"type\":\"ADDED\",\"object\":null}",
        "{\"type\":\"ADDED\",\"object\":{}}",
        "{\"type\":\"ADDED\",\"object\":{\"metadata\":[]}}",
        "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":[],\"resourceVersion\":\"9\"}}}",
        "{\"type\":\"LATER\",\"object\":{\"metadata\":{\"name\":\"x\"}}}",
        "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":5}}",
        "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"x\",\"data\":{\"v\":\"cut"
      })
  void aLineThatIsNoEventIsPassedOver(String line) throws InterruptedException {
    started();
    Answer watch = watch();
    event(watch, "ADDED", good("a", 10));
    watch.raw(Odd.bytes(line + "\n"));
    event(watch, "ADDED", good("c", 12));

    await().untilAsserted(() -> assertThat(changes).contains("Added a good", "Added c good"));
    assertThat(server.received()).as("the same watch").hasSize(2);
  }

  @Test
  void aWatchAdvancesBeyondACompleteLineThatIsCut() throws InterruptedException {
    started();
    Answer watch = watch();
    String event = new String(Odd.event("MODIFIED", good("b", 17)), StandardCharsets.UTF_8);
    watch.raw(event.substring(0, event.indexOf("\"data\"")) + "\n").end();

    assertThat(watch()).isNotNull();
    assertThat(server.received().getLast().query()).contains("resourceVersion=17");
  }

  /** Here nothing says that the server sent all of it, so that it has to be asked for again. */
  @ParameterizedTest
  @ValueSource(ints = {1, 30, 100, 1_000})
  void aWatchResumesBeforeALineThatDoesNotEnd(int length) throws InterruptedException {
    started();
    Answer watch = watch();
    event(watch, "ADDED", good("a", 10));
    String event =
        new String(
            Odd.event("ADDED", at(Odd.deeplyManaged("b", "VERSION", 300), 11)),
            StandardCharsets.UTF_8);
    watch.raw(event.substring(0, length)).end();

    watch = watch();
    assertThat(server.received().getLast().query()).contains("resourceVersion=10");
    assertThat(server.count(Received::isList)).isEqualTo(1);
    event(watch, "ADDED", good("b", 11));
    await().untilAsserted(() -> assertThat(changes).contains("Added b good"));
  }

  @Test
  void aSingleObjectIsReadHoweverDeepItsManagedFields() {
    single = Odd.bytes(Odd.deeplyManaged("b", "1", 9_999));

    V1ConfigMap map = connection.api().get(CoreTypes.CONFIG_MAP, B).orElseThrow();

    assertThat(map.getData()).containsEntry("value", "read");
    assertThat(map.getMetadata().getManagedFields()).isNull();
    var patch =
        new MergePatch(JsonParser.parseString("{\"data\":{\"v\":\"w\"}}").getAsJsonObject());
    assertThat(connection.api().patch(CoreTypes.CONFIG_MAP, B, patch)).isEqualTo(map);
    assertThat(connection.api().delete(CoreTypes.CONFIG_MAP, B, DeleteOptions.background()))
        .isTrue();
  }

  @Test
  void aSingleUnreadableObjectIsAClearError() {
    single = Odd.bytes(odd(1));

    assertThatThrownBy(() -> connection.api().get(CoreTypes.CONFIG_MAP, B))
        .isInstanceOf(KubernetesApiException.Malformed.class)
        .hasMessageContaining("get configmaps default/b: the object can't be read")
        .hasMessageContaining("$.data");
    assertThat(connection.api().delete(CoreTypes.CONFIG_MAP, B, DeleteOptions.background()))
        .isTrue();
  }

  @Test
  void eachVersionIsToldOnce() throws InterruptedException {
    String odd = odd(1).replace("\"b\"", "\"told-once\"");
    list = Odd.list(List.of(Odd.bytes(odd)));
    Informer<V1ConfigMap> informer = started();
    Answer watch = watch();
    event(watch, "MODIFIED", Odd.bytes(odd));
    event(watch, "MODIFIED", Odd.bytes(odd.replace("\"1\"", "\"2\"")));
    list = Odd.list(List.of(Odd.bytes(odd.replace("\"1\"", "\"2\""))));
    watch.event("ERROR", ScriptedServer.statusJson(410, "Expired", "too old")).end();
    await().untilAsserted(() -> assertThat(informer.health().relists()).isGreaterThan(1));

    assertThat(TestLog.of(UnreadableObjects.class).stream().map(LogEntry::text))
        .filteredOn(text -> text.contains("object=\"default/told-once\""))
        .allMatch(text -> text.contains("resource=\"configmaps\""))
        .allMatch(text -> text.contains("$.data"))
        .allMatch(text -> text.contains("delete the object"))
        .satisfiesExactly(
            first -> assertThat(first).contains("resourceVersion=\"1\""),
            second -> assertThat(second).contains("resourceVersion=\"2\""));
  }

  private static void event(Answer watch, String type, byte[] object) {
    watch.raw(Odd.event(type, object)).raw("\n");
  }

  private Answer watch() throws InterruptedException {
    Answer watch = watches.poll(60, TimeUnit.SECONDS);
    assertThat(watch).as("a watch within 60 s").isNotNull();
    return watch;
  }

  private Informer<V1ConfigMap> started() throws InterruptedException {
    Informer<V1ConfigMap> informer = informers.of(CoreTypes.CONFIG_MAP).register();
    informer.onChange(change -> changes.add(describe(change)));
    informers.start();
    informers.awaitSynced(Patience.LIMIT);
    return informer;
  }

  private static String describe(Change<V1ConfigMap> change) {
    return change.getClass().getSimpleName()
        + ' '
        + change.key().name()
        + (change.object().getData() == null ? "" : ' ' + change.object().getData().get("value"));
  }
}
