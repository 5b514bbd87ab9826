// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * One JSON object per line, flat, as log collectors index it: {@code time} (ISO 8601 in UTC),
 * {@code level}, {@code logger}, {@code thread}, {@code message}, {@code error} (the exception's
 * class and message) and {@code stack} where there is one, then the key-values of the line and of
 * the reconcile that it belongs to.
 *
 * <p>Logback's own {@code JsonEncoder} writes the time as a number, the key-values as a list of
 * objects with one member each, and a stack as one object per frame.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class JsonLineEncoder extends EncoderBase<ILoggingEvent> {
  private static final byte[] NOTHING = {};
  private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

  /** For Logback. */
  public JsonLineEncoder() {}

  @Override
  public byte[] encode(ILoggingEvent event) {
    JsonObject line = new JsonObject();
    line.addProperty("time", event.getInstant().toString());
    line.addProperty("level", event.getLevel().toString());
    line.addProperty("logger", event.getLoggerName());
    line.addProperty("thread", event.getThreadName());
    line.addProperty("message", event.getFormattedMessage());
    @Nullable IThrowableProxy thrown = event.getThrowableProxy();
    if (thrown != null) {
      line.addProperty("error", thrown.getClassName() + ": " + thrown.getMessage());
      line.addProperty("stack", ThrowableProxyUtil.asString(thrown));
    }
    @Nullable List<KeyValuePair> pairs = event.getKeyValuePairs();
    if (pairs != null) {
      pairs.forEach(pair -> add(line, pair.key, pair.value));
    }
    event.getMDCPropertyMap().forEach((key, value) -> add(line, key, value));
    return (GSON.toJson(line) + '\n').getBytes(StandardCharsets.UTF_8);
  }

  /** A member of its own: a key that is taken already gets an underscore. */
  private static void add(JsonObject line, String key, @Nullable Object value) {
    String free = key;
    while (line.has(free)) {
      free += '_';
    }
    line.add(free, json(value));
  }

  private static JsonElement json(@Nullable Object value) {
    return switch (value) {
      case Boolean truth -> new JsonPrimitive(truth);
      case Integer number -> new JsonPrimitive(number);
      case Long number -> new JsonPrimitive(number);
      case null, default -> new JsonPrimitive(String.valueOf(value));
    };
  }

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }
}
