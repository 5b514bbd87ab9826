// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.controller.Controller;
import org.jspecify.annotations.Nullable;

/** A controller's work queue, which exists only once its host has been built. */
final class LateQueue {
  private volatile @Nullable Controller controller;

  /** From now on keys are taken. */
  void open(Controller built) {
    controller = built;
  }

  void add(ObjectKey key) {
    @Nullable Controller built = controller;
    if (built != null) {
      built.queue().add(key);
    }
  }
}
