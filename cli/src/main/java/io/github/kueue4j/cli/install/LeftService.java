// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.install;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.client.KubernetesApi;
import java.time.Instant;

/**
 * The Service of the core's webhooks. Helm has deleted it, though a finalizer may keep it for a
 * while; where it stays, the release was not uninstalled, and its Leases and its conversion are in
 * use.
 */
final class LeftService implements Leftovers.Leftover {
  private final KubernetesApi api;
  private final ObjectKey key;

  LeftService(KubernetesApi api, ObjectKey key) {
    this.api = api;
    this.key = key;
  }

  @Override
  public boolean removed(Instant now) {
    return api.get(CoreTypes.SERVICE, key).isEmpty();
  }

  @Override
  public String problem() {
    return "the Service "
        + key
        + " of the core's webhooks still exists: uninstall the release first";
  }
}
