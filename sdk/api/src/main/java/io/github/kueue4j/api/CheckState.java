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
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * The verdict of an admission check on a workload.
 *
 * @param value the word on the wire; unknown words survive
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CheckState(String value) implements OpenValue {
  /** The check has not decided yet. */
  public static final CheckState PENDING = new CheckState("Pending");

  /** The check lets the workload through. */
  public static final CheckState READY = new CheckState("Ready");

  /** The quota is given back and the workload is tried again later. */
  public static final CheckState RETRY = new CheckState("Retry");

  /** The workload is deactivated. */
  public static final CheckState REJECTED = new CheckState("Rejected");

  @Override
  public String toString() {
    return value;
  }
}
