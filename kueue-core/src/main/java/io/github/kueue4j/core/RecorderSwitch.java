// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import io.github.kueue4j.runtime.client.EventRecorder;
import io.kubernetes.client.common.KubernetesObject;

/** An event recorder that can be silenced, as if the process had been killed. */
final class RecorderSwitch implements EventRecorder {
  private final EventRecorder recorder;
  private volatile boolean silent;

  RecorderSwitch(EventRecorder recorder) {
    this.recorder = recorder;
  }

  void silence() {
    silent = true;
  }

  @Override
  public void normal(KubernetesObject regarding, String reason, String action, String note) {
    if (!silent) {
      recorder.normal(regarding, reason, action, note);
    }
  }

  @Override
  public void warning(KubernetesObject regarding, String reason, String action, String note) {
    if (!silent) {
      recorder.warning(regarding, reason, action, note);
    }
  }

  @Override
  public void close() {
    recorder.close();
  }
}
