// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import com.google.gson.JsonArray;
import java.util.List;
import org.apiguardian.api.API;

/** The result of a review. */
@API(status = API.Status.INTERNAL)
public sealed interface ReviewResult {
  /**
   * The write is allowed.
   *
   * @param patch changes to apply first, as a JSON patch (RFC 6902); may be empty
   * @param warnings shown to the client
   */
  record Allowed(JsonArray patch, List<String> warnings) implements ReviewResult {
    public Allowed {
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * The write is refused.
   *
   * @param violations the reasons; at least one
   */
  record Refused(List<Violation> violations) implements ReviewResult {
    public Refused {
      violations = List.copyOf(violations);
    }
  }

  /** The write is allowed unchanged. */
  static ReviewResult allowed() {
    return new Allowed(new JsonArray(), List.of());
  }

  /** Refused for these violations, or allowed if there are none. */
  static ReviewResult of(List<Violation> violations) {
    return violations.isEmpty() ? allowed() : new Refused(violations);
  }
}
