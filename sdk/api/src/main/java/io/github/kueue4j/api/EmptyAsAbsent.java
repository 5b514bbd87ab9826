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
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Leaves empty lists and maps out, as the API server does. The client's models start with empty
 * ones everywhere; written out, {@code "finalizers":[]} in a merge patch would erase what others
 * own.
 *
 * <p>Only fields declared as list or map are concerned: an empty object in a field of any type,
 * such as the {@code status} subresource of a CRD, means something.
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
          out.nullValue(); // the writer then drops the name, too
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
