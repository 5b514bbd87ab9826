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
package io.github.kueue4j.core;

import io.github.kueue4j.runtime.EventRecorder;
import io.kubernetes.client.common.KubernetesObject;

/** An event recorder that can be silenced, as a killed process is. */
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
