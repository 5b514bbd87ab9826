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
package io.github.kueue4j.sdk;

import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.fence.Reservation;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.UUID;
import org.apiguardian.api.API;

/**
 * The ids of attempts. An attempt is one reservation of one workload as one check sees it, and its
 * id is made of nothing but what the object says, so every process and every restart finds the
 * same.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Attempts {

  private Attempts() {}

  /** The id of the attempt that the workload's QuotaReserved condition stands for. */
  public static String id(Workload workload, String check) {
    String name =
        uid(workload) + '/' + check + '/' + Reservation.of(workload).since().getEpochSecond();
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
  }

  /** What the check may hold for the workload's present attempt. */
  public static Holding holding(Workload workload, String check) {
    return new Holding(workload.key(), uid(workload), check, id(workload, check));
  }

  static String uid(Workload workload) {
    return Objects.requireNonNullElse(workload.metadata().getUid(), "");
  }
}
