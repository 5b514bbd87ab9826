// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.informer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.testdefaults.Patience;
import io.github.kueue4j.testdefaults.PossibleLog;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Under random faults of lists and watches while objects change, the cache ends up equal to the
 * server, and the reported changes of each object are a valid sequence.
 */
@Execution(ExecutionMode.CONCURRENT)
@PossibleLog(
    logger = "CachedInformer",
    message = "The watch is silent",
    because = "the disturbances are drawn")
@PossibleLog(
    logger = "CachedInformer",
    message = "Listing or watching failed; retrying",
    because = "the disturbances are drawn")
class DisturbedInformerTest {

  private static final RequestMatcher INFORMERS = request -> request.userAgent().startsWith("inf/");
  private static final RequestMatcher WATCHES = INFORMERS.and(RequestMatcher.verbs("watch"));
  private static final RequestMatcher LISTS = INFORMERS.and(RequestMatcher.verbs("list"));

  private static final int KINDS = 7;
  private static final int SILENCE = 0;

  private final Map<ObjectKey, V1ConfigMap> told = new ConcurrentHashMap<>();
  private final List<String> contradictions = new CopyOnWriteArrayList<>();

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void endsUpEqualToTheServer(long seed) throws InterruptedException {
    var random = new Random(seed);
    try (var server =
            EmbeddedApiServer.builder()
                .historyWindow(40)
                .bookmarkInterval(Duration.ofMillis(200))
                .start();
        var writer = ClusterConnection.builder("writer").url(server.uri()).open();
        var connection = ClusterConnection.builder("inf").url(server.uri()).open();
        var informers = Informers.on(connection, Duration.ofSeconds(2))) {
      Informer<V1ConfigMap> informer =
          informers.of(CoreTypes.CONFIG_MAP).inNamespace("default").pageSize(3).register();
      informer.onChange(this::tell);
      informers.start();
      informers.awaitSynced(Patience.LIMIT);

      for (int kind : shuffledKinds(random)) {
        long relists = informer.health().relists();
        await().until(() -> informer.health().watching());
        try (Fault fault = disturb(kind, server, random)) {
          assertThat(fault).isNotNull();
          if (kind != SILENCE) {
            // Most faults affect a watch only when it is opened.
            server.faults().dropWatches(WATCHES);
          }
          for (int i = 0; i < 30; i++) {
            change(writer.api(), random);
          }
          if (kind == SILENCE) {
            await().until(() -> informer.health().relists() > relists);
          }
        }
        change(writer.api(), random);
        await()
            .untilAsserted(
                () -> assertThat(versions(informer.list())).isEqualTo(versions(live(writer))));
      }
      assertThat(server.requests().count(WATCHES)).isGreaterThanOrEqualTo(KINDS);
      assertThat(informer.health().relists()).isGreaterThanOrEqualTo(3);
      // Handlers are called after the cache is updated.
      await()
          .untilAsserted(
              () ->
                  assertThat(versions(List.copyOf(told.values())))
                      .isEqualTo(versions(informer.list())));
      assertThat(contradictions).isEmpty();
    }
  }

  private static List<Integer> shuffledKinds(Random random) {
    List<Integer> kinds = new ArrayList<>(IntStream.range(0, KINDS).boxed().toList());
    Collections.shuffle(kinds, random);
    return kinds;
  }

  private static Fault disturb(int kind, EmbeddedApiServer server, Random random) {
    return switch (kind) {
      case SILENCE -> server.faults().silenceWatches(WATCHES);
      case 1 -> server.faults().failRate(0.5, INFORMERS, 503, random);
      case 2 -> server.faults().failNext(2, LISTS, 429);
      case 3 -> server.faults().failNext(3, WATCHES, 410);
      case 4 -> server.faults().delay(WATCHES, Duration.ofMillis(50));
      case 5 -> {
        server.faults().expireHistory();
        yield server.faults().delay(LISTS, Duration.ofMillis(20));
      }
      default -> server.faults().delay(INFORMERS, Duration.ofMillis(5));
    };
  }

  private static void change(KubernetesApi api, Random random) {
    var key = new ObjectKey("default", "map-" + random.nextInt(10));
    Optional<V1ConfigMap> map = api.get(CoreTypes.CONFIG_MAP, key);
    if (map.isEmpty()) {
      api.create(
          CoreTypes.CONFIG_MAP,
          new V1ConfigMap()
              .metadata(new V1ObjectMeta().namespace("default").name(key.name()))
              .data(Map.of("n", "0")));
    } else if (random.nextInt(3) == 0) {
      api.delete(CoreTypes.CONFIG_MAP, key, DeleteOptions.background());
    } else {
      var after =
          new V1ConfigMap()
              .metadata(map.get().getMetadata())
              .data(Map.of("n", Integer.toString(random.nextInt())));
      api.patch(CoreTypes.CONFIG_MAP, GuardedPatch.between(map.get(), after));
    }
  }

  private void tell(Change<V1ConfigMap> change) {
    @Nullable V1ConfigMap known = told.get(change.key());
    switch (change) {
      case Change.Added<V1ConfigMap> added -> {
        expect(known == null, "added " + brief(added.object()), known);
        told.put(change.key(), added.object());
      }
      case Change.Updated<V1ConfigMap> updated -> {
        expect(
            updated.before().equals(known)
                && uid(updated.before()).equals(uid(updated.object()))
                && version(updated.object()) > version(updated.before()),
            "updated " + brief(updated.before()) + " to " + brief(updated.object()),
            known);
        told.put(change.key(), updated.object());
      }
      case Change.Deleted<V1ConfigMap> deleted -> {
        expect(
            known != null && uid(known).equals(uid(deleted.object())),
            "deleted " + brief(deleted.object()),
            known);
        told.remove(change.key());
      }
    }
  }

  private void expect(boolean possible, String change, @Nullable V1ConfigMap known) {
    if (!possible) {
      contradictions.add(change + " after " + (known == null ? "nothing" : brief(known)));
    }
  }

  private static String brief(V1ConfigMap map) {
    return ObjectKey.of(map).name() + " in version " + version(map) + " of " + uid(map);
  }

  private static String uid(V1ConfigMap map) {
    return String.valueOf(map.getMetadata().getUid());
  }

  private static long version(V1ConfigMap map) {
    return Long.parseLong(String.valueOf(map.getMetadata().getResourceVersion()));
  }

  private static List<V1ConfigMap> live(ClusterConnection connection) {
    return connection.api().list(CoreTypes.CONFIG_MAP, ListOptions.inNamespace("default")).items();
  }

  private static Map<String, String> versions(List<V1ConfigMap> maps) {
    Map<String, String> versions = new TreeMap<>();
    maps.forEach(map -> versions.put(ObjectKey.of(map).name(), uid(map) + version(map)));
    return versions;
  }
}
