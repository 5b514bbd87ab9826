// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import java.util.Objects;
import org.apiguardian.api.API;

/**
 * An event to record on the Workload once the patch it belongs to has succeeded.
 *
 * @param type Normal or Warning
 * @param reason CamelCase, at most 128 characters
 * @param note the event's text; cut to at most 1024 bytes
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LifecycleEvent(Type type, String reason, String note) {

  /** The API's event types. */
  public enum Type {
    /** Information about an expected step. */
    NORMAL,
    /** An unexpected step that a user or an administrator should look at. */
    WARNING
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
