// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.fence;

import io.github.kueue4j.api.AdmissionCheckState;
import org.apiguardian.api.API;

/** The decision about a verdict. */
@API(status = API.Status.INTERNAL, since = "0.1")
public sealed interface Decision {

  /**
   * Patch the check's entry, and only that.
   *
   * @param before the entry in the newest object
   * @param after the entry as it shall be, different from {@code before}
   */
  record Write(AdmissionCheckState before, AdmissionCheckState after) implements Decision {}

  /** The verdict holds and the newest object shows it already. */
  record Keep() implements Decision {}

  /** Too late: forget the verdict. */
  record Drop(Cause cause) implements Decision {}

  /** Too late: forget the verdict, and judge the workload again as soon as it is due. */
  record DropAndEvaluateAnew(Cause cause) implements Decision {}
}
