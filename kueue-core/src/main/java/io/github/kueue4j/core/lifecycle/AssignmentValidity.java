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
 * Whether the quota assignment of a Workload could still be made today (KEP-993: verified before
 * Admitted, as flavors and quota may have changed while the checks ran).
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface AssignmentValidity {

  /** Still valid, or there is no assignment. */
  static AssignmentValidity valid() {
    return Valid.INSTANCE;
  }

  /**
   * No longer valid.
   *
   * @param reason reason of the QuotaReserved=False condition, such as NoMatchingFlavor
   * @param message the same in words
   */
  static AssignmentValidity invalid(String reason, String message) {
    return new Invalid(reason, message);
  }

  /** Still valid. */
  enum Valid implements AssignmentValidity {
    /** The only value. */
    INSTANCE
  }

  /**
   * No longer valid: a reservation that isn't admitted yet is withdrawn.
   *
   * @param reason a CamelCase condition reason
   * @param message for people
   */
  record Invalid(String reason, String message) implements AssignmentValidity {
    public Invalid {
      Objects.requireNonNull(reason, "reason");
      Objects.requireNonNull(message, "message");
    }
  }
}
