// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import org.apiguardian.api.API;

/** Reviews the writes of one webhook. */
@API(status = API.Status.INTERNAL)
@FunctionalInterface
public interface Reviewer {
  /**
   * Reviews a write.
   *
   * @throws com.google.gson.JsonParseException if the object isn't of the expected kind
   */
  ReviewResult review(AdmissionRequest request);
}
