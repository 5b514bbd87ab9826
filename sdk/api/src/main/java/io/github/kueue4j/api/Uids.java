// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.apiguardian.api.API;

/** The identity of objects beyond their names: a namesake created later has another uid. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Uids {
  private Uids() {}

  /** The uid; empty for an object that isn't created yet. */
  public static String of(KubernetesObject object) {
    V1ObjectMeta metadata = object.getMetadata();
    String uid = metadata == null ? null : metadata.getUid();
    return uid == null ? "" : uid;
  }
}
