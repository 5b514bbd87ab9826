// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.apiguardian.api.API;

/**
 * An object of one of the kinds that this module models as records.
 *
 * <p>Parsing is lenient: unknown fields are skipped, absent lists and maps are empty, absent fields
 * with a default hold it. Such an object is a partial view of the server's object and must never be
 * written back as a whole.
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
