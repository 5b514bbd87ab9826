// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.runtime.patch.Patch;
import io.kubernetes.client.common.KubernetesObject;
import org.apiguardian.api.API;

/** Objects that can be read as those of a cluster are. Each attempt to write one fails. */
@API(status = API.Status.INTERNAL)
public abstract class ReadOnlyApi implements KubernetesApi {
  @Override
  public final <T extends KubernetesObject> T create(ResourceType<T> type, T object) {
    throw readOnly();
  }

  @Override
  public final <T extends KubernetesObject> T createDryRun(ResourceType<T> type, T object) {
    throw readOnly();
  }

  @Override
  public final <T extends KubernetesObject> T patch(
      ResourceType<T> type, ObjectKey key, Patch patch) {
    throw readOnly();
  }

  @Override
  public final <T extends KubernetesObject> T patchStatus(
      ResourceType<T> type, ObjectKey key, Patch patch) {
    throw readOnly();
  }

  @Override
  public final <T extends KubernetesObject> T patch(ResourceType<T> type, GuardedPatch<T> patch) {
    throw readOnly();
  }

  @Override
  public final <T extends KubernetesObject> T patchStatus(
      ResourceType<T> type, GuardedPatch<T> patch) {
    throw readOnly();
  }

  @Override
  public final boolean delete(ResourceType<?> type, ObjectKey key, DeleteOptions options) {
    throw readOnly();
  }

  /** What each attempt to write throws. */
  protected static UnsupportedOperationException readOnly() {
    return new UnsupportedOperationException("these objects can only be read");
  }
}
