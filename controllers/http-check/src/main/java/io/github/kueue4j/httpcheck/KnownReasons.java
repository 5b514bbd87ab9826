// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import io.github.kueue4j.sdk.Reason;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The reasons that the endpoints gave so far, for each AdmissionCheck. Each is a label of the
 * controller's metrics, so their number is bounded: an endpoint that invents a new one for each
 * Workload must not fill the memory of the controller and of what collects its metrics, nor take
 * the reasons of other AdmissionChecks away.
 */
final class KnownReasons {
  static final int MOST = 100;
  private static final Reason OTHER = Reason.of("OtherReason");

  // Guarded by this object's monitor.
  private final Map<String, Set<String>> byCheck = new HashMap<>();

  /** The reason; a common one for those of an AdmissionCheck beyond its first hundred. */
  synchronized Reason of(String check, String word) {
    Set<String> known = byCheck.computeIfAbsent(check, unknown -> new HashSet<>());
    if (known.contains(word) || known.size() < MOST) {
      known.add(word);
      return Reason.of(word);
    }
    return OTHER;
  }
}
