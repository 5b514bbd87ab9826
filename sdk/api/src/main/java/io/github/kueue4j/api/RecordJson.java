// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
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
 * Writes records as the API expects them: with apiVersion and kind first, and with the lists and
 * maps that it requires even when they are empty.
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
