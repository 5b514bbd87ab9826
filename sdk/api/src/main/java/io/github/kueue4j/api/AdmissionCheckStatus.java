// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.List;
import org.apiguardian.api.API;

/**
 * The status of a check: whether it is active.
 *
 * @param conditions keyed by type: {@code Active}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AdmissionCheckStatus(List<Condition> conditions) {
  public AdmissionCheckStatus {
    conditions = Lenient.list(conditions);
  }

  /** An empty status, as before the first write of a controller. */
  public static AdmissionCheckStatus empty() {
    return new AdmissionCheckStatus(List.of());
  }
}
