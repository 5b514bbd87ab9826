// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import com.google.gson.Gson;
import com.google.gson.TypeAdapter;
import com.google.gson.TypeAdapterFactory;
import com.google.gson.reflect.TypeToken;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Omits empty lists and maps, as the API server does. The client's models initialize them as empty;
 * written to a merge patch, {@code "finalizers":[]} would erase entries of other controllers.
 *
 * <p>Only fields declared as list or map are concerned: an empty object in a field of another type,
 * such as the {@code status} subresource of a CRD, is significant.
 */
final class EmptyAsAbsent implements TypeAdapterFactory {

  @Override
  public <T> @Nullable TypeAdapter<T> create(Gson gson, TypeToken<T> type) {
    if (type.getRawType() != List.class && type.getRawType() != Map.class) {
      return null;
    }
    TypeAdapter<T> delegate = gson.getDelegateAdapter(this, type);
    return new TypeAdapter<>() {
      @Override
      public void write(JsonWriter out, @Nullable T value) throws IOException {
        if (value == null || isEmpty(value)) {
          out.nullValue(); // the writer then omits the name, too
        } else {
          delegate.write(out, value);
        }
      }

      @Override
      public T read(JsonReader in) throws IOException {
        return delegate.read(in);
      }
    };
  }

  private static boolean isEmpty(Object container) {
    return container instanceof Collection<?> collection
        ? collection.isEmpty()
        : container instanceof Map<?, ?> map && map.isEmpty();
  }
}
