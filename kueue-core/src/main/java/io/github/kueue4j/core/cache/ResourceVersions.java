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
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * Compares versions of one object. Kubernetes lets clients compare resourceVersions as numbers
 * (KEP-5504); where one isn't a number, nothing is called older, and a write that was based on it
 * is refused by its guard.
 */
@API(status = API.Status.INTERNAL)
public final class ResourceVersions {
  private ResourceVersions() {}

  public static boolean older(KubernetesObject candidate, KubernetesObject than) {
    OptionalLong first = number(candidate);
    OptionalLong second = number(than);
    return first.isPresent() && second.isPresent() && first.getAsLong() < second.getAsLong();
  }

  private static OptionalLong number(KubernetesObject object) {
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
