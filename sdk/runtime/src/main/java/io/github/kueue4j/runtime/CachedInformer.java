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
import io.kubernetes.client.common.KubernetesObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** One informer; its inner workings follow in the next commit. */
final class CachedInformer<T extends KubernetesObject> implements Informer<T> {

  private final Informers.Spec<T> spec;

  CachedInformer(ClusterConnection connection, Informers.Spec<T> spec, Duration silenceLimit) {
    this.spec = spec;
  }

  void start() {
    if (!spec.type().kind().isEmpty()) {
      throw new UnsupportedOperationException("informer of " + spec.type());
    }
  }

  void close() {}

  @Override
  public Optional<T> get(ObjectKey key) {
    return Optional.empty();
  }

  @Override
  public List<T> list() {
    return List.of();
  }

  @Override
  public List<T> byIndex(String index, String value) {
    return List.of();
  }

  @Override
  public Registration onChange(Consumer<Change<T>> handler) {
    return () -> {};
  }

  @Override
  public boolean synced() {
    return false;
  }

  @Override
  public InformerHealth health() {
    return new InformerHealth(spec.type().qualifiedName(), false, false, null, 0, 0, null);
  }
}
