// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.cache;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.ResourceVersions;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.informer.Change;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.Trim;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * An informer's cache that never returns an object older than one that this process has written or
 * read, and none whose last finalizer it has removed. Without it, consecutive writes of an object
 * would start from a stale copy and end in a conflict. It writes objects, too, and remembers the
 * results. Thread-safe.
 */
@API(status = API.Status.INTERNAL)
public final class FreshCache<T extends KubernetesObject> {
  /** Objects share this many locks. */
  private static final int TURNS = 64;

  /**
   * How many deletions are known at most. An answer that comes after as many others keeps its
   * object in this cache until a live read misses it.
   */
  private static final int LATEST_DELETIONS = 4096;

  private final ResourceType<T> type;
  private final Informer<T> informer;
  private final KubernetesApi api;
  private final Trim<T> trim;
  private final Completion<T> completion;
  private final Map<ObjectKey, T> ahead = new ConcurrentHashMap<>();

  /** The numbers of the deletions that the informer has seen, by uid, the latest last. */
  private final SequencedMap<String, Long> deletions = new LinkedHashMap<>();

  /** How many it has seen; guarded by {@link #deletions}, which guards itself, too. */
  private long deletionsSeen;

  private final List<Lock> turns = Stream.<Lock>generate(ReentrantLock::new).limit(TURNS).toList();

  /** A write of an object, from reading the newest known version to remembering what came of it. */
  @FunctionalInterface
  @API(status = API.Status.INTERNAL)
  public interface OrderedWrite<R> {
    /** Reads, decides, writes and remembers. */
    R run() throws InterruptedException;
  }

  /** Completes objects that are handed out by what else belongs to them. */
  @FunctionalInterface
  @API(status = API.Status.INTERNAL)
  public interface Completion<T> {
    /**
     * The whole object.
     *
     * @param live whether the object was read from the API server just now, and so is the rest to
     *     be
     */
    T of(T object, boolean live);
  }

  private FreshCache(
      ResourceType<T> type,
      Informer<T> informer,
      KubernetesApi api,
      Trim<T> trim,
      Completion<T> completion) {
    this.type = type;
    this.informer = informer;
    this.api = api;
    this.trim = trim;
    this.completion = completion;
  }

  /** A cache over an informer; removes objects whose deletion the informer sees. */
  public static <T extends KubernetesObject> FreshCache<T> over(
      Informer<T> informer, ResourceType<T> type, KubernetesApi api) {
    return over(informer, type, api, (read, known) -> read, (object, live) -> object);
  }

  /**
   * A cache over an informer whose objects are trimmed.
   *
   * @param trim trims objects that are written or read here as the informer's are; must be
   *     idempotent
   * @param completion of what is handed out; what is kept stays as it is
   */
  public static <T extends KubernetesObject> FreshCache<T> over(
      Informer<T> informer,
      ResourceType<T> type,
      KubernetesApi api,
      Trim<T> trim,
      Completion<T> completion) {
    FreshCache<T> cache = new FreshCache<>(type, informer, api, trim, completion);
    informer.onChange(
        change -> {
          if (change instanceof Change.Deleted<T> deleted) {
            cache.forgetDeleted(deleted.object());
          }
        });
    return cache;
  }

  /**
   * Runs a write of an object when no other write of it runs: each one starts from the result of
   * the one before. For objects that several controllers write; a write must not begin another.
   */
  public <R> R inTurn(ObjectKey key, OrderedWrite<R> write) throws InterruptedException {
    Lock turn = turns.get(Math.floorMod(key.hashCode(), TURNS));
    turn.lockInterruptibly();
    try {
      return write.run();
    } finally {
      turn.unlock();
    }
  }

  /** The newest known version; empty once this process has removed the last finalizer. */
  public Optional<T> get(ObjectKey key) {
    return newest(key).map(found -> completion.of(found, false));
  }

  private Optional<T> newest(ObjectKey key) {
    // Before the informer: it has the write by then if another reader removes that meanwhile.
    T own = ahead.get(key);
    Optional<T> cached = informer.get(key);
    if (own == null) {
      return cached;
    }
    if (cached.isPresent() && overtakes(cached.get(), own)) {
      ahead.remove(key, own);
      return cached;
    }
    return Optional.of(own).filter(object -> !deleted(object));
  }

  private boolean overtakes(T cached, T own) {
    // The server's answer to the removal of the last finalizer has the version before it.
    return deleted(own)
        ? !Uids.of(cached).equals(Uids.of(own))
        : !ResourceVersions.older(cached, own);
  }

  /**
   * Whether the server has deleted an object with the write that left it like this. A pod to which
   * its kubelet gives time to end is still there.
   */
  private static boolean deleted(KubernetesObject object) {
    V1ObjectMeta metadata = object.getMetadata();
    return metadata != null
        && metadata.getDeletionTimestamp() != null
        && Objects.requireNonNullElse(metadata.getFinalizers(), List.of()).isEmpty()
        && Objects.requireNonNullElse(metadata.getDeletionGracePeriodSeconds(), 0L) == 0;
  }

  /**
   * The current version, read from the API server; empty, too, if it is confirmed that this doesn't
   * serve the type, or not in namespaces.
   */
  public Optional<T> live(ObjectKey key) {
    long before = deletionsSoFar();
    T known = ahead.get(key);
    Optional<T> read = read(key).map(answer -> keep(answer, known, before));
    if (read.isEmpty() && known != null && !(deleted(known) && informerHas(known))) {
      // Only what was known before: another object of this name may have been created since.
      ahead.remove(key, known);
    }
    return read.map(found -> completion.of(found, true));
  }

  /** Objects, read from the API server. */
  public List<T> list(ListOptions options) {
    long before = deletionsSoFar();
    return api.list(type, options).items().stream()
        .map(read -> completion.of(keep(read, null, before), false))
        .toList();
  }

  private Optional<T> read(ObjectKey key) {
    try {
      return api.get(type, key);
    } catch (KubernetesApiException.NotFound noSuchType) {
      if (informer.health().served()) {
        throw noSuchType; // It may be a proxy that says so.
      }
      return Optional.empty();
    }
  }

  /** Writes something other than the status, and remembers the result. */
  public T write(GuardedPatch<T> patch) {
    return remember(() -> api.patch(type, patch));
  }

  /** Writes the status, and remembers the result. */
  public T writeStatus(GuardedPatch<T> patch) {
    return remember(() -> api.patchStatus(type, patch));
  }

  /** Deletes this very object; {@link #get} returns it until the informer or a read misses it. */
  public void delete(T object) {
    api.delete(type, ObjectKey.of(object), DeleteOptions.background().withUid(Uids.of(object)));
  }

  /** Makes a request, and remembers the object that the API server answers with. */
  T remember(Supplier<T> request) {
    long before = deletionsSoFar();
    return completion.of(keep(request.get(), null, before), false);
  }

  /**
   * Remembers an object that the API server has answered with.
   *
   * @param older what was remembered when the request was sent, if that was a read: the answer is
   *     later, whatever its version. The server's data may have been restored
   * @param before how many deletions the informer had seen then
   * @return the object, trimmed
   */
  private T keep(T object, @Nullable T older, long before) {
    ObjectKey key = ObjectKey.of(object);
    T answer = trim.apply(object, newest(key));
    T kept = ahead.merge(key, answer, (known, late) -> known == older ? late : later(known, late));
    if ((deleted(kept) || isReportedDeleted(kept, before)) && !informerHas(kept)) {
      ahead.remove(key, kept);
    }
    return answer;
  }

  private boolean informerHas(T object) {
    return informer
        .get(ObjectKey.of(object))
        .filter(found -> Uids.of(found).equals(Uids.of(object)))
        .isPresent();
  }

  /** Answers may be remembered in another order than the server has given them. */
  private T later(T known, T answered) {
    boolean late =
        ResourceVersions.older(answered, known) || (deleted(known) && !deleted(answered));
    return late && Uids.of(known).equals(Uids.of(answered)) ? known : answered;
  }

  private long deletionsSoFar() {
    synchronized (deletions) {
      return deletionsSeen;
    }
  }

  /**
   * Whether the informer has seen the object deleted, or reported it so as its selector no longer
   * fits: it will tell nothing more of it. What it reported since its kind is no longer served may
   * still be there: then a deletion counts only if it came after the request.
   */
  private boolean isReportedDeleted(T object, long before) {
    long oldest = informer.health().served() ? 0 : before;
    synchronized (deletions) {
      return deletions.getOrDefault(Uids.of(object), 0L) > oldest;
    }
  }

  private void forgetDeleted(T object) {
    synchronized (deletions) {
      // First: what is remembered from now on is removed by the one who remembers it.
      deletions.putLast(Uids.of(object), ++deletionsSeen);
      if (deletions.size() > LATEST_DELETIONS) {
        deletions.pollFirstEntry();
      }
    }
    // An object of the same name that was created since then has another uid.
    ahead.computeIfPresent(
        ObjectKey.of(object), (key, own) -> Uids.of(object).equals(Uids.of(own)) ? null : own);
  }

  /** Forgets an object that the server doesn't have any more, so that only the informer counts. */
  public void forget(ObjectKey key) {
    ahead.remove(key);
  }
}
