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
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Open values are plain strings; a known word is read as its constant. */
final class OpenValueJson implements TypeAdapterFactory {

  @Override
  public <T> @Nullable TypeAdapter<T> create(Gson gson, TypeToken<T> type) {
    Class<? super T> raw = type.getRawType();
    if (!OpenValue.class.isAssignableFrom(raw) || !raw.isRecord()) {
      return null;
    }
    MethodHandle constructor = constructor(raw);
    Map<String, Object> constants = constants(raw);
    return new TypeAdapter<T>() {
      @Override
      public void write(JsonWriter out, T value) throws IOException {
        out.value(((OpenValue) value).value());
      }

      @Override
      @SuppressWarnings("unchecked") // raw is the class of T
      public T read(JsonReader in) throws IOException {
        String word = in.nextString();
        Object constant = constants.get(word);
        if (constant != null) {
          return (T) constant;
        }
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

  /** The known values by their words, so that what is read is the very constant. */
  private static Map<String, Object> constants(Class<?> type) {
    Map<String, Object> found = new HashMap<>();
    for (Field field : type.getFields()) {
      if (Modifier.isStatic(field.getModifiers()) && field.getType() == type) {
        try {
          OpenValue constant = (OpenValue) Objects.requireNonNull(field.get(null));
          found.put(constant.value(), constant);
        } catch (IllegalAccessException notOpen) {
          throw new IllegalStateException(type.getName() + " must be public", notOpen);
        }
      }
    }
    return Map.copyOf(found);
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
