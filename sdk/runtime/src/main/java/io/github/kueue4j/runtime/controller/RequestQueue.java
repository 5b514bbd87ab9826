// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import io.github.kueue4j.api.ObjectKey;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.extended.workqueue.RateLimitingQueue;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Adapts a {@link KeyQueue} to the extended controller. Its mutable requests exist from {@code get}
 * to {@code done} only; the queue contains immutable keys.
 */
final class RequestQueue implements RateLimitingQueue<Request> {

  private final KeyQueue<ObjectKey> keys;

  RequestQueue(KeyQueue<ObjectKey> keys) {
    this.keys = keys;
  }

  static ObjectKey key(Request request) {
    return new ObjectKey(
        request.getNamespace() == null ? "" : request.getNamespace(), request.getName());
  }

  @Override
  public void add(Request request) {
    keys.add(key(request));
  }

  @Override
  public void addAfter(Request request, Duration delay) {
    keys.addAfter(key(request), delay);
  }

  @Override
  public void addRateLimited(Request request) {
    keys.addAfterFailure(key(request));
  }

  @Override
  public void forget(Request request) {
    keys.forget(key(request));
  }

  @Override
  public int numRequeues(Request request) {
    return keys.failures(key(request));
  }

  @Override
  public int length() {
    return keys.length();
  }

  @Override
  // The interface has no nullness annotations, but its caller treats null as "shutting down".
  @SuppressWarnings("NullAway")
  public @Nullable Request get() throws InterruptedException {
    @Nullable ObjectKey key = keys.take();
    return key == null ? null : new Request(key.namespace(), key.name());
  }

  @Override
  public void done(Request request) {
    keys.done(key(request));
  }

  @Override
  public void shutDown() {
    keys.shutDown();
  }

  @Override
  public boolean isShuttingDown() {
    return keys.isShuttingDown();
  }
}
