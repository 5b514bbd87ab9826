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
package io.github.kueue4j.sdk.controller;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.Informer;
import io.kubernetes.client.common.KubernetesObject;
import java.util.List;
import java.util.Optional;

/** What an author sees of an informer. */
record WatchedInformer<T extends KubernetesObject>(Informer<T> informer) implements Watched<T> {

  @Override
  public Optional<T> get(ObjectKey key) {
    return informer.get(key);
  }

  @Override
  public List<T> list() {
    return informer.list();
  }
}
