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
 * Leases and events hold {@code metav1.MicroTime}, which the API server takes only with exactly six
 * decimals; everything else holds {@code metav1.Time}. The client's models do not tell them apart.
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
