// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.informer.Change;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.InformerHealth;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Objects in a cache whose informer, writers and readers act in an unlucky order. */
class FreshCacheTest {
  private static final ObjectKey KEY = new ObjectKey("team", "job");

  private final SettableInformer informer = new SettableInformer();

  /** What happens between an answer of the API server and the moment it is remembered. */
  private Runnable onAnswer = () -> {};

  /** What a live read gets; null: nothing. */
  private @Nullable V1Job served = job("first", 3);

  private Runnable onLiveRead = () -> {};

  private final FreshCache<V1Job> cache =
      FreshCache.over(
          informer,
          CoreTypes.JOB,
          (KubernetesApi)
              Proxy.newProxyInstance(
                  KubernetesApi.class.getClassLoader(),
                  new Class<?>[] {KubernetesApi.class},
                  (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("get");
                    onLiveRead.run();
                    return Optional.ofNullable(served);
                  }),
          (read, known) -> {
            Runnable once = onAnswer;
            onAnswer = () -> {};
            once.run();
            return read;
          },
          (job, live) -> job);

  @Test
  void anObjectThatIsDeletedBeforeAWriteOfItIsRememberedIsGone() {
    informer.show(job("first", 4));
    onAnswer = informer::delete;

    cache.remember(() -> job("first", 5));

    assertThat(cache.get(KEY)).isEmpty();
  }

  @Test
  void anObjectIsGoneThoughItsNamesakeWasCreatedAndDeletedMeanwhile() {
    informer.show(job("first", 4));
    onAnswer =
        () -> {
          informer.delete();
          informer.show(job("second", 6));
        };

    cache.remember(() -> job("first", 5));
    informer.delete();

    assertThat(cache.get(KEY)).isEmpty();
  }

  /** A kind that isn't served for a while has the informer report deletions. */
  @Test
  void aWriteOfAnObjectThatTheInformerHasAgainIsRemembered() {
    informer.show(job("first", 4));
    informer.delete();
    informer.show(job("first", 4));

    cache.remember(() -> job("first", 5));

    assertThat(cache.get(KEY)).contains(job("first", 5));
  }

  @Test
  void aReaderWhomTheInformerOvertakesSeesTheWrite() {
    informer.show(job("first", 1));
    cache.remember(() -> job("first", 2));
    informer.onRead =
        () -> {
          informer.show(job("first", 2));
          assertThat(cache.get(KEY)).as("another reader").contains(job("first", 2));
        };

    assertThat(cache.get(KEY)).contains(job("first", 2));
  }

  @Test
  void aWriteStaysAheadOfAnEarlierAnswer() {
    informer.show(job("first", 2));
    onAnswer = () -> cache.remember(() -> job("first", 4));

    assertThat(cache.remember(() -> job("first", 3)))
        .as("what the server has stored")
        .isEqualTo(job("first", 3));

    assertThat(cache.get(KEY)).contains(job("first", 4));
  }

  @Test
  void anObjectThatAWriteHasDeletedStaysGoneAfterAnEarlierAnswer() {
    informer.show(job("first", 4));
    V1Job deleted = job("first", 4);
    deleted.getMetadata().deletionTimestamp(OffsetDateTime.MAX);
    onAnswer = () -> cache.remember(() -> deleted);

    cache.remember(() -> job("first", 4));

    assertThat(cache.get(KEY)).isEmpty();
  }

  @Test
  void aNamesakeReplacesAnObjectOfAnyVersion() {
    cache.remember(() -> job("first", 5));

    assertThat(cache.remember(() -> job("second", 4))).isEqualTo(job("second", 4));
  }

  /** As after etcd was restored under a core that runs. */
  @Test
  void aLiveReadReplacesALaterVersionThatWasKnownBefore() {
    informer.show(job("first", 3));
    cache.remember(() -> job("first", 5));

    assertThat(cache.live(KEY)).contains(served);
    assertThat(cache.get(KEY)).contains(served);
  }

  @Test
  void aLiveReadIsNoObjectThatWasDeletedMeanwhile() {
    informer.show(job("first", 3));
    V1Job deleted = job("first", 3);
    deleted.getMetadata().deletionTimestamp(OffsetDateTime.MAX);
    onAnswer = () -> cache.remember(() -> deleted);

    assertThat(cache.live(KEY)).contains(served);
    assertThat(cache.get(KEY)).isEmpty();
  }

  /** As of a kind that is served again, and not listed yet. */
  @Test
  void anAnswerIsLaterThanADeletionWhileTheKindWasNotServed() {
    informer.show(job("first", 3));
    informer.delete();
    informer.served = false;

    cache.remember(() -> job("first", 4));

    assertThat(cache.get(KEY)).contains(job("first", 4));
  }

  /** As of a pod that has lost its label: the informer tells nothing more of it. */
  @Test
  void anObjectThatTheInformerNoLongerSelectsIsNotKept() {
    informer.show(job("first", 3));
    informer.delete();

    assertThat(cache.live(KEY)).contains(served);

    assertThat(cache.get(KEY)).isEmpty();
  }

  @Test
  void aPodThatMayStillRunIsThere() {
    V1Job ending = job("first", 4);
    ending.getMetadata().deletionTimestamp(OffsetDateTime.MAX).deletionGracePeriodSeconds(30L);
    informer.show(job("first", 3));

    cache.remember(() -> ending);

    assertThat(cache.get(KEY)).contains(ending);
  }

  @Test
  void aLiveReadThatMissesAnObjectLeavesItsNamesake() {
    informer.show(job("first", 3));
    cache.remember(() -> job("first", 4));
    served = null;
    onLiveRead = () -> cache.remember(() -> job("second", 6));

    assertThat(cache.live(KEY)).isEmpty();

    assertThat(cache.get(KEY)).contains(job("second", 6));
  }

  @Test
  void aLiveReadThatMissesAnObjectKeepsItGone() {
    V1Job deleted = job("first", 4);
    deleted.getMetadata().deletionTimestamp(OffsetDateTime.MAX);
    informer.show(job("first", 3));
    cache.remember(() -> deleted);
    served = null;

    assertThat(cache.live(KEY)).isEmpty();

    assertThat(cache.get(KEY)).isEmpty();
  }

  private static V1Job job(String uid, int version) {
    return new V1Job()
        .metadata(
            new V1ObjectMeta()
                .namespace(KEY.namespace())
                .name(KEY.name())
                .uid(uid)
                .resourceVersion(String.valueOf(version)));
  }

  /** An informer of one object. */
  private static final class SettableInformer implements Informer<V1Job> {
    private final List<Consumer<Change<V1Job>>> handlers = new ArrayList<>();
    private Optional<V1Job> job = Optional.empty();

    boolean served = true;

    /** What happens while the next reader has read and not gone on. */
    Runnable onRead = () -> {};

    void show(V1Job shown) {
      Change<V1Job> change =
          job.<Change<V1Job>>map(before -> new Change.Updated<>(before, shown))
              .orElseGet(() -> new Change.Added<>(shown));
      job = Optional.of(shown);
      handlers.forEach(handler -> handler.accept(change));
    }

    void delete() {
      Change<V1Job> change = new Change.Deleted<>(job.orElseThrow(), false);
      job = Optional.empty();
      handlers.forEach(handler -> handler.accept(change));
    }

    @Override
    public Optional<V1Job> get(ObjectKey key) {
      Optional<V1Job> found = job.filter(shown -> ObjectKey.of(shown).equals(key));
      Runnable once = onRead;
      onRead = () -> {};
      once.run();
      return found;
    }

    @Override
    public List<V1Job> list() {
      return job.stream().toList();
    }

    @Override
    public List<V1Job> byIndex(String index, String value) {
      throw new IllegalArgumentException(index);
    }

    @Override
    public Registration onChange(Consumer<Change<V1Job>> handler) {
      handlers.add(handler);
      return () -> handlers.remove(handler);
    }

    @Override
    public boolean synced() {
      return true;
    }

    @Override
    public InformerHealth health() {
      return new InformerHealth(
          "jobs.batch", true, served, true, null, Duration.ZERO, 0, 0, null, 0);
    }
  }
}
