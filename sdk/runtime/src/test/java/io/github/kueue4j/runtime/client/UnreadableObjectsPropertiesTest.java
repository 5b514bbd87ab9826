// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.ScriptedServer;
import io.github.kueue4j.testdefaults.TestLog;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.util.CallGeneratorParams;
import io.kubernetes.client.util.Watch;
import io.kubernetes.client.util.Watchable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.slf4j.event.Level;

/** Whatever some objects look like, all others are seen, in order, in a list and in a watch. */
class UnreadableObjectsPropertiesTest {

  private static final String GOOD = "good-";

  /** What the server answers to lists and watches; properties run one after the other. */
  private static volatile byte[] answer = {};

  private static final ScriptedServer SERVER =
      new ScriptedServer(
          (request, response) -> {
            if (request.isWatch()) {
              response.open().raw(answer).end();
            } else {
              response.json(200, answer);
            }
          });

  private static final TimeSource TIME = TimeSource.system();
  private static final ClusterConnection CONNECTION =
      ClusterConnection.builder("test").url(SERVER.uri()).wireTime(TIME).open();

  @BeforeContainer
  static void declareTheLog() {
    TestLog.possible(
        Level.ERROR, "UnreadableObjects", "Can't read an object", "chance decides about objects");
  }

  @AfterContainer
  static void close() {
    CONNECTION.close();
    TIME.close();
    SERVER.close();
  }

  @Property
  void listsHaveAllOrdinaryObjectsInOrder(@ForAll("objects") List<Optional<byte[]>> pieces) {
    List<byte[]> items = new ArrayList<>();
    List<String> ordinary = new ArrayList<>();
    for (Optional<byte[]> odd : pieces) {
      items.add(odd.orElseGet(() -> good(ordinary)));
    }
    answer = Odd.list(items);

    assertThat(names(CONNECTION.api().list(CoreTypes.CONFIG_MAP, ListOptions.all()).items()))
        .isEqualTo(ordinary);
    assertThat(names(source().list(new CallGeneratorParams(false, "", null)).items()))
        .isEqualTo(ordinary);
  }

  @Property
  void watchesSeeAllOrdinaryObjectsInOrder(
      @ForAll("lines") List<Optional<byte[]>> pieces, @ForAll("cuts") int cut) throws Exception {
    List<byte[]> lines = new ArrayList<>();
    List<String> ordinary = new ArrayList<>();
    for (Optional<byte[]> odd : pieces) {
      lines.add(odd.orElseGet(() -> Odd.event("ADDED", good(ordinary))));
    }
    String last = new String(Odd.event("ADDED", good(new ArrayList<>())), UTF_8);
    lines.add(Odd.bytes(last.substring(0, Math.min(cut, last.length() - 1))));
    answer = Odd.joined('\n', lines);
    WatchSource<V1ConfigMap> source = source();

    Watchable<V1ConfigMap> watch = source.watch(new CallGeneratorParams(true, "1", 60));
    List<V1ConfigMap> seen = new ArrayList<>();
    while (watch.hasNext()) {
      Watch.Response<V1ConfigMap> event = watch.next();
      assertThat(event.object.getMetadata()).isNotNull();
      if (event.type.equals("ADDED")) {
        seen.add(event.object);
      }
    }
    watch.close();

    assertThat(names(seen)).isEqualTo(ordinary);
    assertThat(source.state().lastError()).contains("ended within an event");
  }

  private static byte[] good(List<String> ordinary) {
    String name = GOOD + ordinary.size();
    ordinary.add(name);
    return Odd.bytes(Odd.map(name, "7", "", ",\"data\":{\"v\":\"w\"}"));
  }

  private static List<String> names(List<V1ConfigMap> maps) {
    return maps.stream()
        .map(map -> map.getMetadata().getName())
        .filter(name -> name.startsWith(GOOD))
        .toList();
  }

  private static WatchSource<V1ConfigMap> source() {
    return new WatchSource<>(
        CONNECTION,
        CoreTypes.CONFIG_MAP,
        ListOptions.all(),
        (read, known) -> read,
        Optional.empty(),
        key -> Optional.empty(),
        () -> 0);
  }

  @Provide
  Arbitrary<Integer> cuts() {
    return Arbitraries.integers().between(1, 150);
  }

  @Provide
  Arbitrary<List<Optional<byte[]>>> objects() {
    return pieces(odd());
  }

  @Provide
  Arbitrary<List<Optional<byte[]>>> lines() {
    Arbitrary<String> type =
        Arbitraries.of("ADDED", "MODIFIED", "DELETED", "BOOKMARK", "", "X\\\"", "\\u00e4");
    Arbitrary<byte[]> events = Combinators.combine(type, odd()).as(Odd::event);
    Arbitrary<byte[]> truncated =
        Combinators.combine(events, Arbitraries.integers().between(0, 400))
            .as((event, length) -> Arrays.copyOf(event, Math.min(event.length, length)));
    Arbitrary<byte[]> noise =
        Arbitraries.bytes().filter(b -> b != '\n').array(byte[].class).ofMaxSize(80);
    Arbitrary<byte[]> brackets =
        Arbitraries.strings().withChars("{}[]\",:a1 \\~").ofMaxLength(60).map(Odd::bytes);
    return pieces(Arbitraries.oneOf(events, odd(), truncated, noise, brackets));
  }

  /** Odd ones among ordinary ones, which are empty here. */
  private static Arbitrary<List<Optional<byte[]>>> pieces(Arbitrary<byte[]> odd) {
    Arbitrary<Optional<byte[]>> ordinary = Arbitraries.of(0).map(ignored -> Optional.empty());
    return Arbitraries.oneOf(ordinary, odd.map(Optional::of)).list().ofMinSize(1).ofMaxSize(12);
  }

  /** Objects, or what stands in the place of one, whose brackets and quotes match. */
  private static Arbitrary<byte[]> odd() {
    Arbitrary<String> deep =
        Arbitraries.integers()
            .between(1, 30_000)
            .map(depth -> "[".repeat(depth) + "]".repeat(depth));
    Arbitrary<String> flat =
        Arbitraries.of(
            "null",
            "5",
            "1e999999",
            "-0",
            "NaN",
            "true",
            "\"~~\"",
            "\"\\\\\"",
            "\"}\"",
            "{}",
            "[]",
            "\"\\ud800\"",
            "{\"a\":1,\"a\":2}",
            "[{\"name\":[]}]",
            "\"\"",
            "nonsense",
            "{\"a\":}");
    Arbitrary<String> value =
        Arbitraries.lazyOf(
            () -> flat,
            () -> flat,
            () -> deep,
            () -> members(value(flat, deep)),
            () ->
                value(flat, deep)
                    .list()
                    .ofMaxSize(3)
                    .map(all -> "[" + String.join(",", all) + "]"));
    Arbitrary<String> object = members(value);
    return Arbitraries.oneOf(
            object,
            value,
            Combinators.combine(object, value)
                .as((metadata, more) -> "{\"metadata\":" + metadata + ",\"data\":" + more + "}"),
            Combinators.combine(value, value)
                .as(
                    (one, two) ->
                        Odd.map("odd", "3", "\"labels\":" + one + ",", ",\"data\":" + two)))
        .map(Odd::bytes);
  }

  private static Arbitrary<String> value(Arbitrary<String> flat, Arbitrary<String> deep) {
    return Arbitraries.oneOf(flat, flat, flat, deep);
  }

  private static Arbitrary<String> members(Arbitrary<String> values) {
    Arbitrary<String> names =
        Arbitraries.of(
            "metadata",
            "name",
            "namespace",
            "resourceVersion",
            "uid",
            "managedFields",
            "labels",
            "ownerReferences",
            "annotations",
            "creationTimestamp",
            "data",
            "kind",
            "x");
    return Combinators.combine(names, values)
        .as(Tuple::of)
        .list()
        .ofMaxSize(5)
        .map(
            all ->
                all.stream()
                    .map(member -> "\"" + member.get1() + "\":" + member.get2())
                    .collect(Collectors.joining(",", "{", "}")));
  }
}
