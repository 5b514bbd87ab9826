/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.runtime;

import io.github.kueue4j.api.ObjectKey;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.extended.workqueue.RateLimitingQueue;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Our {@link KeyQueue} as the extended controller wants to see it. Its mutable requests live from
 * {@code get} to {@code done} only; what is queued are immutable keys.
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
  // The interface is not annotated, but its caller takes null for "shutting down".
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
