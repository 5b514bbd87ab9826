// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import com.google.gson.JsonObject;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One line of a recording: an object as it is from then on, or that it is gone.
 *
 * @param at when the recorder heard of it, by its own clock, in milliseconds
 * @param present whether it was there when the recording began
 * @param kind one of {@link #KINDS}
 * @param object the fields that a recording keeps; without a spec if that is as before; null if the
 *     object was deleted
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RecordedChange(
    Instant at, boolean present, String kind, ObjectKey key, @Nullable JsonObject object) {

  /** The kind that is told by its changes; all others are told in full. */
  static final String WORKLOAD = "Workload";

  /** What decides about quota, those first on which others depend. */
  public static final List<ResourceType<?>> TYPES =
      List.of(
          CoreTypes.NAMESPACE,
          KueueTypes.RESOURCE_FLAVOR,
          KueueTypes.ADMISSION_CHECK,
          KueueTypes.COHORT,
          KueueTypes.CLUSTER_QUEUE,
          CoreTypes.LIMIT_RANGE,
          CoreTypes.RUNTIME_CLASS,
          KueueTypes.LOCAL_QUEUE,
          KueueTypes.WORKLOAD);

  /** The types by their kind. */
  static final Map<String, ResourceType<?>> KINDS =
      TYPES.stream().collect(Collectors.toMap(ResourceType::kind, Function.identity()));
}
