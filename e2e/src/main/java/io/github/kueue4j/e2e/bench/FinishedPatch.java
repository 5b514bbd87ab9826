// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.bench;

import com.google.gson.JsonObject;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.runtime.patch.JsonPatch;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.apiguardian.api.API;

/** How the owner of a Workload without a Job says that it has finished. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class FinishedPatch {
  private FinishedPatch() {}

  /** A patch of the status of a Workload that has conditions already. */
  public static JsonPatch at(Instant now) {
    JsonObject condition = new JsonObject();
    condition.addProperty("type", WorkloadConditions.FINISHED);
    condition.addProperty("status", "True");
    condition.addProperty("reason", "Succeeded");
    condition.addProperty("message", "The load let it run for its time");
    condition.addProperty("lastTransitionTime", now.truncatedTo(ChronoUnit.SECONDS).toString());
    return JsonPatch.of(
        new JsonPatch.Operation(JsonPatch.Kind.ADD, "/status/conditions/-", condition));
  }
}
