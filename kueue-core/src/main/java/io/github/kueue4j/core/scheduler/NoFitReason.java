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
package io.github.kueue4j.core.scheduler;

import org.apiguardian.api.API;

/**
 * Why a flavor can't be assigned, the mildest first: what waiting may cure comes before the rest.
 */
@API(status = API.Status.INTERNAL)
public enum NoFitReason {
  /** Others use the quota at the moment. */
  WAITING_FOR_QUOTA("WaitingForQuota"),
  /** More than the quota would be needed. */
  EXCEEDS_MAX_QUOTA("ExceedsMaxQuota"),
  /** No flavor suits the pods. */
  NO_MATCHING_FLAVOR("NoMatchingFlavor");

  private final String conditionReason;

  NoFitReason(String conditionReason) {
    this.conditionReason = conditionReason;
  }

  /** The reason of the QuotaReserved=False condition. */
  public String conditionReason() {
    return conditionReason;
  }

  NoFitReason milder(NoFitReason other) {
    return compareTo(other) <= 0 ? this : other;
  }

  NoFitReason graver(NoFitReason other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
