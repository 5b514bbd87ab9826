// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** The fate of an object if it were created now. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum DryRunOutcome {
  /** It gets quota at once and starts. */
  ADMITTED,
  /** It gets quota at once; then its admission checks are asked. */
  QUOTA_RESERVED,
  /** It gets quota once other Workloads have stopped, which are evicted for it. */
  PREEMPTS,
  /** It waits in its queue. */
  WAITS,
  /** It waits in its queue, and would even if all quota were free. */
  NEVER_FITS,
  /** It is created and gets into no queue. */
  NOT_QUEUED,
  /** The core has nothing to do with objects of this kind. */
  NOT_MANAGED,
  /** The API server refuses it, or a webhook does. */
  REFUSED,
  /** What decides about it can't be read: rights are missing, or the core's configuration. */
  UNKNOWN;

  /** The name as the API spells reasons: {@code QuotaReserved}. */
  public String code() {
    return Arrays.stream(name().split("_"))
        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining());
  }
}
