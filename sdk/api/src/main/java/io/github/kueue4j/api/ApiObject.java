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
package io.github.kueue4j.api;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.apiguardian.api.API;

/**
 * An object of one of the kinds that this module models as records.
 *
 * <p>Parsing is lenient: unknown fields are skipped, absent lists and maps are empty, absent fields
 * with a default hold it. Such an object is a view of what the server has, never something to write
 * back whole.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface ApiObject extends KubernetesObject {

  /** Name, namespace and labels; to be treated as read-only. */
  V1ObjectMeta metadata();

  /** The kind of this object. */
  ResourceType<?> type();

  /** The namespace and name of this object. */
  default ObjectKey key() {
    return ObjectKey.of(this);
  }

  @Override
  default V1ObjectMeta getMetadata() {
    return metadata();
  }

  @Override
  default String getApiVersion() {
    return type().apiVersion();
  }

  @Override
  default String getKind() {
    return type().kind();
  }
}
