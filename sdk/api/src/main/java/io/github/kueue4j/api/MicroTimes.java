// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import com.google.gson.Gson;
import com.google.gson.TypeAdapter;
import com.google.gson.TypeAdapterFactory;
import com.google.gson.reflect.TypeToken;
import io.kubernetes.client.openapi.models.CoreV1Event;
import io.kubernetes.client.openapi.models.CoreV1EventSeries;
import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.EventsV1EventSeries;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import java.time.OffsetDateTime;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Leases and events hold {@code metav1.MicroTime}, which the API server accepts only with exactly
 * six decimals; all other kinds have {@code metav1.Time}. The client's models don't distinguish
 * them.
 */
final class MicroTimes implements TypeAdapterFactory {

  private static final Set<Class<?>> HOLDERS =
      Set.of(
          V1LeaseSpec.class,
          CoreV1Event.class,
          CoreV1EventSeries.class,
          EventsV1Event.class,
          EventsV1EventSeries.class);

  // The plain times inside events (firstTimestamp, creationTimestamp) get decimals too, which the
  // server accepts there.
  private final Gson micro =
      KueueJson.builder()
          .registerTypeAdapter(
              OffsetDateTime.class, new ScalarJson.MicroOffsetDateTimes().nullSafe())
          .create();

  @Override
  public <T> @Nullable TypeAdapter<T> create(Gson gson, TypeToken<T> type) {
    return HOLDERS.contains(type.getRawType()) ? micro.getAdapter(type) : null;
  }
}
