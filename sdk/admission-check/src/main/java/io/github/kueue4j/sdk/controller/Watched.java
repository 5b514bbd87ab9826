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
import io.kubernetes.client.common.KubernetesObject;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The objects of one kind that a check watches besides workloads, kept up to date in memory. Empty
 * until the controller has started; evaluations begin when it is complete.
 *
 * @param <T> the objects' type; treat them as read-only
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Watched<T extends KubernetesObject> {

  /** The object, if there is one. */
  Optional<T> get(ObjectKey key);

  /** All objects, in no particular order. */
  List<T> list();
}
