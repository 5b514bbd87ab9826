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
package io.github.kueue4j.core.lifecycle;

import java.util.Objects;
import org.apiguardian.api.API;

/**
 * An event to record on the Workload once the patch it belongs to has succeeded.
 *
 * @param type Normal or Warning
 * @param reason CamelCase, at most 128 characters
 * @param note for people, at most 1024 bytes
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LifecycleEvent(Type type, String reason, String note) {

  /** The API's event types. */
  public enum Type {
    /** For information. */
    NORMAL("Normal"),
    /** Somebody should look. */
    WARNING("Warning");

    private final String value;

    Type(String value) {
      this.value = value;
    }

    /** The word on the wire. */
    public String value() {
      return value;
    }
  }

  public LifecycleEvent {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(reason, "reason");
    note = Messages.cutNote(note);
  }

  static LifecycleEvent normal(String reason, String note) {
    return new LifecycleEvent(Type.NORMAL, reason, note);
  }

  static LifecycleEvent warning(String reason, String note) {
    return new LifecycleEvent(Type.WARNING, reason, note);
  }
}
