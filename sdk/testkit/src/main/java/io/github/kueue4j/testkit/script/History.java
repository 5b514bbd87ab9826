// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.script;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.client.RefusedRequestException;
import io.github.kueue4j.testkit.client.UnreachableServerException;
import io.github.kueue4j.testkit.client.Watch;
import io.github.kueue4j.testkit.tree.Trees;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Every version of the objects of a collection, in the order in which the server made them, as a
 * watch of its own shows them. Where the watch breaks and the server has forgotten what came in
 * between, the versions in between are missing.
 *
 * @see io.github.kueue4j.testkit.junit.KueueTest
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class History implements AutoCloseable {
  /** How long to wait at most before a new watch, and before a look in case one is silent. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

  private final JsonApi api;
  private final String collection;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by lock.
  private final Map<ObjectKey, List<ObjectNode>> versions = new LinkedHashMap<>();
  private String resourceVersion = "";
  private @Nullable Watch watch;
  private boolean closed;
  private long changes;

  private History(JsonApi api, String collection) {
    this.api = api;
    this.collection = collection;
  }

  /** Starts to record the collection at this path, from what is there now. */
  static History of(JsonApi api, String collection) {
    History history = new History(api, collection);
    history.follow();
    return history;
  }

  /** All versions of one object, oldest first; empty if it was never seen. */
  public List<ObjectNode> versions(ObjectKey key) {
    lock.lock();
    try {
      return List.copyOf(versions.getOrDefault(key, List.of()));
    } finally {
      lock.unlock();
    }
  }

  /**
   * All versions of one object, oldest first, up to this one at least.
   *
   * @param newest as it was read from the server
   * @param patience how long to wait for it to be seen, in real time
   * @throws StepFailedException if it isn't seen in time
   */
  public List<ObjectNode> upTo(ObjectKey key, ObjectNode newest, Duration patience) {
    return await(
            patience,
            () ->
                Optional.of(versions(key))
                    .filter(seen -> seen.stream().anyMatch(each -> sameVersion(each, newest))))
        .orElseThrow(
            () -> new StepFailedException("the watch on " + collection + " shows nothing new"));
  }

  /**
   * Asks again whenever something in the collection has changed, until there is an answer.
   *
   * @param patience in real time
   * @return empty if there was none in time
   */
  public <T> Optional<T> await(Duration patience, Supplier<Optional<T>> question) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      Optional<T> answer = question.get();
      long left = deadline - System.nanoTime();
      if (answer.isPresent() || left <= 0) {
        return answer;
      }
      awaitChange(Math.min(left, LOOK_AGAIN.toNanos()));
    }
  }

  private void awaitChange(long nanos) {
    lock.lock();
    try {
      long seen = changes;
      long left = nanos;
      while (changes == seen && !closed && left > 0) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for " + collection, e);
    } finally {
      lock.unlock();
    }
  }

  private void follow() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      if (resourceVersion.isEmpty()) {
        ObjectNode list =
            api.get(collection).orElseThrow(() -> new IllegalStateException(missing()));
        resourceVersion = Trees.text(Trees.metadata(list), "resourceVersion");
        list.path("items")
            .forEach(
                item -> {
                  if (item instanceof ObjectNode object) {
                    add(object);
                  }
                });
      }
      watch = api.watch(collection, resourceVersion, this::seen, this::followAgain);
    } finally {
      lock.unlock();
    }
  }

  private String missing() {
    return "the server at %s does not serve %s: install the CRDs of kueue.x-k8s.io"
        .formatted(api.server(), collection);
  }

  /**
   * Servers end watches now and then. One that refuses a watch, or that can't be reached right now,
   * is asked again later.
   */
  private void followAgain() {
    boolean follows;
    do {
      try {
        awaitChange(LOOK_AGAIN.toNanos());
        follow();
        follows = true;
      } catch (UnreachableServerException | RefusedRequestException notYet) {
        follows = false;
      } catch (IllegalStateException interruptedOrClosed) {
        return;
      }
    } while (!follows);
  }

  private void seen(ObjectNode event) {
    lock.lock();
    try {
      ObjectNode object = Trees.object(event, "object");
      switch (Trees.text(event, "type")) {
        case "ADDED", "MODIFIED", "DELETED" -> {
          resourceVersion = Trees.text(Trees.metadata(object), "resourceVersion");
          add(object);
        }
        case "BOOKMARK" -> resourceVersion = Trees.text(Trees.metadata(object), "resourceVersion");
        default -> {
          if (object.path("code").asInt() == 410) {
            // The history that the watch asked for is gone: begin with a list again.
            resourceVersion = "";
          }
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void add(ObjectNode object) {
    ObjectKey key = new ObjectKey(Trees.namespace(object), Trees.name(object));
    List<ObjectNode> known = versions.computeIfAbsent(key, unused -> new ArrayList<>());
    if (known.isEmpty() || !sameVersion(known.getLast(), object)) {
      known.add(object);
    }
    changes++;
    changed.signalAll();
  }

  private static boolean sameVersion(ObjectNode one, ObjectNode other) {
    return Trees.text(Trees.metadata(one), "resourceVersion")
        .equals(Trees.text(Trees.metadata(other), "resourceVersion"));
  }

  @Override
  public void close() {
    Watch last;
    lock.lock();
    try {
      closed = true;
      last = watch;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    // Outside of the lock, which the consumer of the watch takes.
    if (last != null) {
      last.close();
    }
  }
}
