// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import com.google.gson.TypeAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.JsonWriter;
import io.github.kueue4j.api.time.ApiTime;
import io.github.kueue4j.api.time.GoDuration;
import io.kubernetes.client.custom.IntOrString;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** JSON of scalar values in API objects. Invalid values read as null, see {@link KueueJson}. */
final class ScalarJson {

  private ScalarJson() {}

  /** {@code metav1.Time}: whole seconds in UTC. */
  static final class Instants extends TypeAdapter<Instant> {
    @Override
    public void write(JsonWriter out, Instant value) throws IOException {
      out.value(ApiTime.format(value));
    }

    @Override
    public @Nullable Instant read(JsonReader in) throws IOException {
      return readTime(in);
    }
  }

  /** {@code metav1.Time} in the client's models. */
  static class OffsetDateTimes extends TypeAdapter<OffsetDateTime> {
    @Override
    public void write(JsonWriter out, OffsetDateTime value) throws IOException {
      out.value(ApiTime.format(value.toInstant()));
    }

    @Override
    public @Nullable OffsetDateTime read(JsonReader in) throws IOException {
      Instant time = readTime(in);
      return time == null ? null : time.atOffset(ZoneOffset.UTC);
    }
  }

  /** {@code metav1.MicroTime} in the client's models. */
  static final class MicroOffsetDateTimes extends OffsetDateTimes {
    @Override
    public void write(JsonWriter out, OffsetDateTime value) throws IOException {
      out.value(ApiTime.formatMicro(value.toInstant()));
    }
  }

  /** {@code metav1.Duration}. */
  static final class Durations extends TypeAdapter<Duration> {
    @Override
    public void write(JsonWriter out, Duration value) throws IOException {
      out.value(GoDuration.format(value));
    }

    @Override
    public @Nullable Duration read(JsonReader in) throws IOException {
      try {
        return GoDuration.parse(in.nextString());
      } catch (IllegalArgumentException none) {
        return null;
      }
    }
  }

  static final class Quantities extends TypeAdapter<Quantity> {
    @Override
    public void write(JsonWriter out, Quantity value) throws IOException {
      out.value(value.toString());
    }

    @Override
    public @Nullable Quantity read(JsonReader in) throws IOException {
      return readQuantity(in);
    }
  }

  /** Quantities of the client's type, which itself can't write {@code 1Ei}. */
  static final class ClientQuantities extends TypeAdapter<io.kubernetes.client.custom.Quantity> {
    @Override
    public void write(JsonWriter out, io.kubernetes.client.custom.Quantity value)
        throws IOException {
      out.value(Quantity.ofClient(value).toString());
    }

    @Override
    public io.kubernetes.client.custom.@Nullable Quantity read(JsonReader in) throws IOException {
      Quantity quantity = readQuantity(in);
      return quantity == null ? null : quantity.toClient();
    }
  }

  static final class IntOrStrings extends TypeAdapter<IntOrString> {
    @Override
    public void write(JsonWriter out, IntOrString value) throws IOException {
      if (value.isInteger()) {
        out.value(value.getIntValue());
      } else {
        out.value(value.getStrValue());
      }
    }

    @Override
    public IntOrString read(JsonReader in) throws IOException {
      return in.peek() == JsonToken.NUMBER
          ? new IntOrString(in.nextInt())
          : new IntOrString(in.nextString());
    }
  }

  /** Bytes are base64 in the API. */
  static final class Bytes extends TypeAdapter<byte[]> {
    @Override
    public void write(JsonWriter out, byte[] value) throws IOException {
      out.value(Base64.getEncoder().encodeToString(value));
    }

    @Override
    public byte @Nullable [] read(JsonReader in) throws IOException {
      try {
        return Base64.getDecoder().decode(in.nextString());
      } catch (IllegalArgumentException none) {
        return null;
      }
    }
  }

  private static @Nullable Instant readTime(JsonReader in) throws IOException {
    try {
      return ApiTime.parse(in.nextString());
    } catch (DateTimeException none) {
      return null;
    }
  }

  private static @Nullable Quantity readQuantity(JsonReader in) throws IOException {
    try {
      return Quantity.parse(in.nextString());
    } catch (IllegalArgumentException none) {
      return null;
    }
  }
}
