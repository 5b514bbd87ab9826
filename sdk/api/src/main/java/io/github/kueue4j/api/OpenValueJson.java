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
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** Open values are plain strings. */
final class OpenValueJson implements TypeAdapterFactory {

  @Override
  public <T> @Nullable TypeAdapter<T> create(Gson gson, TypeToken<T> type) {
    Class<? super T> raw = type.getRawType();
    if (!OpenValue.class.isAssignableFrom(raw) || !raw.isRecord()) {
      return null;
    }
    MethodHandle constructor = constructor(raw);
    return new TypeAdapter<T>() {
      @Override
      public void write(JsonWriter out, T value) throws IOException {
        out.value(((OpenValue) value).value());
      }

      @Override
      @SuppressWarnings("unchecked") // raw is the class of T
      public T read(JsonReader in) throws IOException {
        String word = in.nextString();
        try {
          return (T) constructor.invoke(word);
        } catch (RuntimeException | Error unchecked) {
          throw unchecked;
        } catch (Throwable checked) {
          throw new AssertionError("a record constructor threw a checked exception", checked);
        }
      }
    }.nullSafe();
  }

  private static MethodHandle constructor(Class<?> type) {
    try {
      return MethodHandles.publicLookup()
          .findConstructor(type, MethodType.methodType(void.class, String.class));
    } catch (ReflectiveOperationException notOpen) {
      throw new IllegalStateException(
          type.getName() + " must be a public record of one String to be an OpenValue", notOpen);
    }
  }
}
