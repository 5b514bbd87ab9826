// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.kubernetes.client.common.KubernetesObject;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The version of {@code kueue.x-k8s.io} that a server serves. What a check reads and writes has the
 * same fields in all of them, so the version is all that differs.
 *
 * @param version for example {@code v1beta1}
 */
record ServedVersion(String version) {

  private static final List<String> OLDER =
      KueueTypes.VERSIONS.subList(1, KueueTypes.VERSIONS.size());
  private static final Logger log = LoggerFactory.getLogger(ServedVersion.class);

  /** The newest version that the server serves; the one that is expected if it serves none yet. */
  static ServedVersion of(KubernetesApi api) {
    ServedVersion expected = new ServedVersion(KueueTypes.VERSION);
    try {
      if (api.serves(KueueTypes.WORKLOAD)) {
        return expected;
      }
      for (String older : OLDER) {
        if (api.serves(KueueTypes.WORKLOAD.inVersion(older))) {
          log.atInfo()
              .addKeyValue("version", older)
              .log("The API server serves only an older version of kueue.x-k8s.io");
          return new ServedVersion(older);
        }
      }
    } catch (KubernetesApiException e) {
      // The server can't be reached now: filling the caches waits for it, and logs if that takes
      // long.
      log.atDebug()
          .addKeyValue("cause", e.getMessage())
          .log("Could not read the served versions of kueue.x-k8s.io");
    }
    return expected;
  }

  /** The type in this version, if it is one of Kueue's. */
  <T extends KubernetesObject> ResourceType<T> of(ResourceType<T> type) {
    return type.group().equals(KueueTypes.GROUP) ? type.inVersion(version) : type;
  }
}
