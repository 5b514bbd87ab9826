// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * The mode in which past usage orders admission (KEP-4136).
 *
 * @param value as in JSON; unknown values are kept
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AdmissionMode(String value) implements OpenValue {
  /** Less past usage comes first. */
  public static final AdmissionMode USAGE_BASED_ADMISSION_FAIR_SHARING =
      new AdmissionMode("UsageBasedAdmissionFairSharing");

  /** Past usage does not count. */
  public static final AdmissionMode NO_ADMISSION_FAIR_SHARING =
      new AdmissionMode("NoAdmissionFairSharing");

  @Override
  public String toString() {
    return value;
  }
}
