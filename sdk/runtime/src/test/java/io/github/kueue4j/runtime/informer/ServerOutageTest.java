// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.informer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The API server is gone for ten minutes, or not ready: informers wait, and don't list again. */
@ExpectedLog(logger = "CachedInformer", message = "Listing or watching failed; retrying")
class ServerOutageTest {
  /** Simulated seconds in a real one. */
  private static final double SPEED = 200;

  private static final Duration OUTAGE = Duration.ofMinutes(10);
  private static final RequestMatcher LISTS = RequestMatcher.verbs("list").and(ours());
  private static final RequestMatcher WATCHES = RequestMatcher.verbs("watch").and(ours());

  private static final List<ResourceType<? extends KubernetesObject>> TYPES =
      List.of(
          CoreTypes.CONFIG_MAP,
          CoreTypes.SECRET,
          CoreTypes.POD,
          CoreTypes.NODE,
          CoreTypes.NAMESPACE,
          CoreTypes.JOB);

  private final TimeSource time = TimeSource.scaled(Instant.parse("2026-03-02T10:00:00Z"), SPEED);
  private final EmbeddedApiServer server =
      EmbeddedApiServer.builder().bookmarkInterval(Duration.ofMillis(100)).start();
  private final ClusterConnection connection =
      ClusterConnection.builder("outage").url(server.uri()).wireTime(time).open();
  private final Informers informers = Informers.on(connection, Duration.ofDays(1));
  private final Informer<V1ConfigMap> maps = informers.of(CoreTypes.CONFIG_MAP).register();

  private static RequestMatcher ours() {
    return request -> request.userAgent().startsWith("outage/");
  }

  @AfterEach
  void close() {
    informers.close();
    connection.close();
    server.close();
    time.close();
  }

  private void start() throws InterruptedException {
    TYPES.stream()
        .filter(type -> !type.equals(CoreTypes.CONFIG_MAP))
        .forEach(type -> informers.of(type).register());
    informers.start();
    informers.awaitSynced(Duration.ofDays(1));
    await().until(() -> informers.health().stream().allMatch(InformerHealth::watching));
  }

  private void pass(Duration duration) throws InterruptedException {
    CountDownLatch over = new CountDownLatch(1);
    time.after(duration, over::countDown);
    over.await();
  }

  private void create(String name) {
    server.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + "}}");
  }

  private boolean knows(String name) {
    return maps.get(new ObjectKey("default", name)).isPresent();
  }

  private void assertGoesOnWithoutAList(long listsBefore) {
    await().until(() -> knows("meanwhile"));
    await().until(() -> informers.health().stream().allMatch(InformerHealth::watching));
    create("afterwards");
    await().until(() -> knows("afterwards"));
    assertThat(server.requests().count(LISTS)).isEqualTo(listsBefore);
  }

  @Test
  void aServerThatIsGoneForTenMinutesIsWatchedAgainWithoutAList() throws Exception {
    start();
    long lists = server.requests().count(LISTS);
    Fault gone = server.faults().refuseConnections();
    create("meanwhile");
    pass(OUTAGE);
    long watches = server.requests().count(WATCHES);
    gone.close();

    assertGoesOnWithoutAList(lists);
    server.faults().dropWatches(RequestMatcher.everything());
    await().until(() -> server.requests().count(WATCHES) >= watches + TYPES.size());
    assertThat(server.requests().count(WATCHES)).isLessThanOrEqualTo(watches + TYPES.size() * 2L);
  }

  @Test
  void aServerThatRefusesForTenMinutesIsAskedMoreAndMoreRarely() throws Exception {
    start();
    long lists = server.requests().count(LISTS);
    Instant began = time.instant();
    Fault refusal = server.faults().failNext(Integer.MAX_VALUE, ours(), 503);
    server.faults().dropWatches(ours());
    create("meanwhile");
    pass(OUTAGE);
    refusal.close();

    Duration outage = Duration.between(began, time.instant());
    assertThat(refusal.hits()).isBetween(1L, TYPES.size() * mostAttempts(outage));
    assertGoesOnWithoutAList(lists);
  }

  /** Of one informer: 9 in 51 s, while the pauses grow to 30 s, and one in each 30 s after. */
  private static long mostAttempts(Duration outage) {
    return 10 + outage.minusSeconds(51).dividedBy(Duration.ofSeconds(30));
  }

  @Test
  void aWatchCacheThatIsNotReadyIsWaitedFor() throws Exception {
    start();
    long lists = server.requests().count(LISTS);
    Fault notReady = server.faults().failNext(10, WATCHES, 429);
    server.faults().dropWatches(ours());
    create("meanwhile");

    assertGoesOnWithoutAList(lists);
    await().until(() -> notReady.hits() == 10);
  }

  @Test
  void aListThatIsNotReadyIsRepeatedAndNotMultiplied() throws Exception {
    Fault notReady = server.faults().failNext(6, LISTS, 429);
    start();
    create("meanwhile");

    await().until(() -> knows("meanwhile"));
    assertThat(notReady.hits()).isEqualTo(6);
    assertThat(server.requests().count(LISTS)).isEqualTo(TYPES.size() + 6L);
  }
}
