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
package io.github.kueue4j.runtime;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.time.TimeSource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.exception.WatchExpiredException;
import io.kubernetes.client.util.Watch;
import io.kubernetes.client.util.Watchable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.BiFunction;
import okhttp3.Call;
import okhttp3.Response;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

/**
 * One watch connection, read leniently.
 *
 * <p>The client library's own reader fails on unknown fields, and its reflector lists everything
 * anew whenever a connection breaks. This one lets a broken connection look like an ended one, so
 * that the watch resumes where it was; only silence and an expired version lead to a new list.
 */
final class WatchStream<T extends KubernetesObject> implements Watchable<T> {

  /** A watch that ends sooner than this without an event was not fruitful. */
  private static final Duration SHORT = Duration.ofSeconds(1);

  private final Call call;
  private final Response response;
  private final BufferedSource lines;
  private final BiFunction<String, JsonElement, Optional<T>> parse;
  private final WatchPulse pulse;
  private final TimeSource time;
  private final Instant openedAt;
  private boolean sawEvent;
  private Watch.@Nullable Response<T> next;

  WatchStream(
      Call call,
      Response response,
      BiFunction<String, JsonElement, Optional<T>> parse,
      WatchPulse pulse,
      TimeSource time) {
    this.call = call;
    this.response = response;
    this.lines = response.body().source();
    this.parse = parse;
    this.pulse = pulse;
    this.time = time;
    this.openedAt = time.instant();
  }

  /**
   * Waits for the next event.
   *
   * @return false when the connection ended or broke
   * @throws WatchExpiredException if the server says that our version is too old
   * @throws SilentWatchException if the watchdog cut the connection
   */
  @Override
  public boolean hasNext() {
    try {
      while (next == null) {
        @Nullable String line = lines.readUtf8Line();
        if (line == null) {
          boolean lasted = Duration.between(openedAt, time.instant()).compareTo(SHORT) >= 0;
          pulse.ended(sawEvent || lasted);
          return false;
        }
        if (!line.isBlank()) {
          next = event(line);
        }
      }
      return true;
    } catch (IOException e) {
      if (pulse.wasCutForSilence()) {
        throw new SilentWatchException();
      }
      pulse.failed("the watch broke: " + HttpApi.describe(e));
      return false;
    } catch (JsonParseException | IllegalStateException e) {
      // Half a line, mostly: the connection broke in the middle of an event. Resume before it.
      pulse.failed("the watch sent something that is no event: " + HttpApi.describe(e));
      return false;
    }
  }

  /** The event in this line; null if its object can't be read (reported already). */
  private Watch.@Nullable Response<T> event(String line) {
    JsonObject event = JsonParser.parseString(line).getAsJsonObject();
    String type = HttpApi.string(event, "type");
    @Nullable JsonElement object = event.get("object");
    if (object == null) {
      throw new JsonParseException("an event without object");
    }
    if (type.equals("ERROR")) {
      throw refused(object);
    }
    pulse.event();
    sawEvent = true;
    @Nullable T parsed = parse.apply(type, object).orElse(null);
    return parsed == null ? null : new Watch.Response<>(type, parsed);
  }

  private RuntimeException refused(JsonElement status) {
    JsonObject words = status instanceof JsonObject object ? object : new JsonObject();
    String message = HttpApi.string(words, "message");
    int code = words.get("code") instanceof JsonPrimitive number ? number.getAsInt() : 0;
    if (code == 410) {
      pulse.failed("410 " + message);
      return new WatchExpiredException();
    }
    return new WatchRefusedException(code + " " + message);
  }

  @Override
  public Watch.Response<T> next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException("the watch has ended");
    }
    Watch.Response<T> event = next;
    next = null;
    return event;
  }

  @Override
  public Iterator<Watch.Response<T>> iterator() {
    return this;
  }

  @Override
  public void close() {
    // Closing alone would read on, for the connection's next use, and wait for the next event.
    call.cancel();
    response.close();
  }

  /** The watchdog cut a connection that looked open but brought nothing. */
  static final class SilentWatchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SilentWatchException() {
      super("the watch was silent for too long");
    }
  }

  /** The server ended the watch with an error event. */
  static final class WatchRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WatchRefusedException(String message) {
      super(message);
    }
  }
}
