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
package io.github.kueue4j.core.cache;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.apiguardian.api.API;

/** The identity of objects beyond their names. */
@API(status = API.Status.INTERNAL)
public final class Uids {
  private Uids() {}

  /** The uid; empty for an object that wasn't created yet. */
  public static String of(KubernetesObject object) {
    V1ObjectMeta metadata = object.getMetadata();
    String uid = metadata == null ? null : metadata.getUid();
    return uid == null ? "" : uid;
  }
}
