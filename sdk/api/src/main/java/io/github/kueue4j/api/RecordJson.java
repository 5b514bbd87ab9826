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
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.TypeAdapter;
import com.google.gson.TypeAdapterFactory;
import com.google.gson.reflect.TypeToken;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Adds to our records what the API expects of them: apiVersion and kind first, and lists and maps
 * that it requires even when they are empty.
 */
final class RecordJson implements TypeAdapterFactory {

  @Override
  public <T> @Nullable TypeAdapter<T> create(Gson gson, TypeToken<T> type) {
    Class<? super T> raw = type.getRawType();
    if (!raw.isRecord() || !raw.getPackageName().equals(RecordJson.class.getPackageName())) {
      return null;
    }
    List<RecordComponent> required = requiredContainers(raw);
    return ApiObject.class.isAssignableFrom(raw) || !required.isEmpty()
        ? new Adapter<>(gson, gson.getDelegateAdapter(this, type), required).nullSafe()
        : null;
  }

  private static List<RecordComponent> requiredContainers(Class<?> record) {
    List<RecordComponent> required = new ArrayList<>();
    for (RecordComponent component : record.getRecordComponents()) {
      Class<?> type = component.getType();
      if (component.isAnnotationPresent(Required.class)
          && (type == List.class || type == Map.class)) {
        required.add(component);
      }
    }
    return required;
  }

  private static final class Adapter<T> extends TypeAdapter<T> {
    private final TypeAdapter<JsonElement> trees;
    private final TypeAdapter<T> delegate;
    private final List<RecordComponent> required;

    Adapter(Gson gson, TypeAdapter<T> delegate, List<RecordComponent> required) {
      this.trees = gson.getAdapter(JsonElement.class);
      this.delegate = delegate;
      this.required = required;
    }

    @Override
    public void write(JsonWriter out, T value) throws IOException {
      JsonObject written = new JsonObject();
      if (value instanceof ApiObject object) {
        written.addProperty("apiVersion", object.getApiVersion());
        written.addProperty("kind", object.getKind());
      }
      delegate.toJsonTree(value).getAsJsonObject().asMap().forEach(written::add);
      for (RecordComponent component : required) {
        JsonElement container = written.get(component.getName());
        if (container == null || container.isJsonNull()) {
          written.add(
              component.getName(),
              component.getType() == List.class ? new JsonArray() : new JsonObject());
        }
      }
      trees.write(out, written);
    }

    @Override
    public T read(JsonReader in) throws IOException {
      return delegate.read(in);
    }
  }
}
