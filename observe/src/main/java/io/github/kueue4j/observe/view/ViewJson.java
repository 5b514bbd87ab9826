// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.TypeAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of the view: names as in the records, times as RFC 3339 in UTC, absent values left out,
 * and infinite numbers as the largest one. {@code <}, {@code >} and {@code &} are escaped.
 */
final class ViewJson {
  private static final Gson GSON =
      new GsonBuilder()
          .registerTypeAdapter(Instant.class, new Instants())
          .registerTypeAdapter(Double.class, new Finite())
          .registerTypeAdapter(double.class, new Finite())
          .create();

  private ViewJson() {}

  static String of(Object answer) {
    return GSON.toJson(answer);
  }

  private static final class Instants extends TypeAdapter<@Nullable Instant> {
    @Override
    public void write(JsonWriter out, @Nullable Instant value) throws IOException {
      if (value == null) {
        out.nullValue();
      } else {
        out.value(value.toString());
      }
    }

    @Override
    public Instant read(JsonReader in) throws IOException {
      return Instant.parse(in.nextString());
    }
  }

  private static final class Finite extends TypeAdapter<@Nullable Double> {
    @Override
    public void write(JsonWriter out, @Nullable Double value) throws IOException {
      if (value == null) {
        out.nullValue();
      } else {
        out.value(Math.min(value, Double.MAX_VALUE));
      }
    }

    @Override
    public Double read(JsonReader in) throws IOException {
      return in.nextDouble();
    }
  }
}
