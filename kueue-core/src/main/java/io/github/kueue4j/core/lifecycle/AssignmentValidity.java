// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import java.util.Objects;
import org.apiguardian.api.API;

/**
 * The validity of a Workload's quota assignment (KEP-993: verified before Admitted, because flavors
 * and quota may have changed while the checks ran).
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
   * @param message of the same condition
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
   * @param message of the same condition
   */
  record Invalid(String reason, String message) implements AssignmentValidity {
    public Invalid {
      Objects.requireNonNull(reason, "reason");
      Objects.requireNonNull(message, "message");
    }
  }
}
