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
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.TypeAdapter;
import com.google.gson.TypeAdapterFactory;
import com.google.gson.reflect.TypeToken;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes our records as the API expects them: apiVersion and kind first, empty lists and maps left
 * out unless required.
 */
final class RecordJson implements TypeAdapterFactory {

  @Override
  public <T> @Nullable TypeAdapter<T> create(Gson gson, TypeToken<T> type) {
    Class<? super T> raw = type.getRawType();
    if (!raw.isRecord()
        || OpenValue.class.isAssignableFrom(raw)
        || !raw.getPackageName().equals(RecordJson.class.getPackageName())) {
      return null;
    }
    return new Adapter<>(gson.getDelegateAdapter(this, type), droppedWhenEmpty(raw)).nullSafe();
  }

  private static Set<String> droppedWhenEmpty(Class<?> record) {
    Set<String> names = new HashSet<>();
    for (RecordComponent component : record.getRecordComponents()) {
      Class<?> type = component.getType();
      boolean container =
          Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type);
      if (container && !component.isAnnotationPresent(Required.class)) {
        names.add(component.getName());
      }
    }
    return names;
  }

  private static final class Adapter<T> extends TypeAdapter<T> {
    private final TypeAdapter<T> delegate;
    private final Set<String> droppedWhenEmpty;

    Adapter(TypeAdapter<T> delegate, Set<String> droppedWhenEmpty) {
      this.delegate = delegate;
      this.droppedWhenEmpty = droppedWhenEmpty;
    }

    @Override
    public void write(JsonWriter out, T value) throws IOException {
      JsonObject written = new JsonObject();
      if (value instanceof ApiObject object) {
        written.addProperty("apiVersion", object.getApiVersion());
        written.addProperty("kind", object.getKind());
      }
      for (Map.Entry<String, JsonElement> field :
          delegate.toJsonTree(value).getAsJsonObject().entrySet()) {
        if (!(droppedWhenEmpty.contains(field.getKey()) && isEmpty(field.getValue()))) {
          written.add(field.getKey(), field.getValue());
        }
      }
      com.google.gson.internal.Streams.write(written, out);
    }

    private static boolean isEmpty(JsonElement element) {
      return element.isJsonArray()
          ? element.getAsJsonArray().isEmpty()
          : element.isJsonObject() && element.getAsJsonObject().isEmpty();
    }

    @Override
    public T read(JsonReader in) throws IOException {
      return delegate.read(in);
    }
  }
}
