// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * Compares versions of objects of one type. Kubernetes lets clients compare resourceVersions as
 * numbers (KEP-5504); if one isn't a number, no object counts as older, and the API server refuses
 * a write based on a stale one.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ResourceVersions {
  private ResourceVersions() {}

  /** Whether {@code candidate} is an older version than {@code than}, as far as can be told. */
  public static boolean older(KubernetesObject candidate, KubernetesObject than) {
    OptionalLong first = number(candidate);
    OptionalLong second = number(than);
    return first.isPresent() && second.isPresent() && first.getAsLong() < second.getAsLong();
  }

  /**
   * The resourceVersion as a number; empty for an object that isn't created yet, and if it isn't a
   * number.
   */
  public static OptionalLong number(KubernetesObject object) {
    V1ObjectMeta metadata = object.getMetadata();
    String version = metadata == null ? null : metadata.getResourceVersion();
    if (version == null || version.isEmpty() || !version.chars().allMatch(Character::isDigit)) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseLong(version));
    } catch (NumberFormatException tooLong) {
      return OptionalLong.empty();
    }
  }
}
