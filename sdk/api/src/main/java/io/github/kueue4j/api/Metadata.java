// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The metadata of objects, to be read only: what is absent is empty. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Metadata {
  private Metadata() {}

  /** The labels of an object. */
  public static Map<String, String> labels(KubernetesObject object) {
    return labels(object.getMetadata());
  }

  /** The labels. */
  public static Map<String, String> labels(@Nullable V1ObjectMeta metadata) {
    return metadata == null ? Map.of() : Objects.requireNonNullElse(metadata.getLabels(), Map.of());
  }

  /** The annotations of an object. */
  public static Map<String, String> annotations(KubernetesObject object) {
    return annotations(object.getMetadata());
  }

  /** The annotations. */
  public static Map<String, String> annotations(@Nullable V1ObjectMeta metadata) {
    return metadata == null
        ? Map.of()
        : Objects.requireNonNullElse(metadata.getAnnotations(), Map.of());
  }

  /** The owners of an object. */
  public static List<V1OwnerReference> owners(KubernetesObject object) {
    return owners(object.getMetadata());
  }

  /** The owners. */
  public static List<V1OwnerReference> owners(@Nullable V1ObjectMeta metadata) {
    return metadata == null
        ? List.of()
        : Objects.requireNonNullElse(metadata.getOwnerReferences(), List.of());
  }
}
