// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.function.Consumer;
import okhttp3.Call;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.BufferedSource;
import org.apiguardian.api.API;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stream of changes that is being followed.
 *
 * @see JsonApi
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Watch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Watch.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Call call;
  private final Consumer<ObjectNode> onEvent;
  private final Runnable onEnd;
  private final Thread thread = Thread.ofVirtual().name("testkit-watch").unstarted(this::run);
  private volatile boolean closed;

  private Watch(Call call, Consumer<ObjectNode> onEvent, Runnable onEnd) {
    this.call = call;
    this.onEvent = onEvent;
    this.onEnd = onEnd;
  }

  static Watch start(Call call, Consumer<ObjectNode> onEvent, Runnable onEnd) {
    Watch watch = new Watch(call, onEvent, onEnd);
    watch.thread.start();
    return watch;
  }

  private void run() {
    try (Response response = call.execute()) {
      ResponseBody body = response.body();
      if (!response.isSuccessful()) {
        show(refusal(response));
      } else if (body != null) {
        follow(body.source());
      }
    } catch (IOException e) {
      if (!closed) {
        log.atDebug().setCause(e).log("watch broken");
      }
    }
    if (!closed) {
      onEnd.run();
    }
  }

  private void follow(BufferedSource lines) throws IOException {
    for (String line = lines.readUtf8Line(); line != null; line = lines.readUtf8Line()) {
      JsonNode event = JSON.readTree(line);
      if (event instanceof ObjectNode object) {
        show(object);
      }
    }
  }

  private void show(ObjectNode event) {
    if (!closed) {
      onEvent.accept(event);
    }
  }

  /** The server says in the body what it would say at the end of a stream. */
  private static ObjectNode refusal(Response response) throws IOException {
    ObjectNode event = JSON.createObjectNode().put("type", "ERROR");
    ObjectNode object = event.putObject("object").put("kind", "Status");
    try {
      if (JSON.readTree(response.body().string()) instanceof ObjectNode status) {
        object.setAll(status);
      }
    } catch (JsonProcessingException e) {
      object.put("message", "the server's answer is no JSON: " + e.getOriginalMessage());
    }
    object.put("code", response.code());
    return event;
  }

  /**
   * Ends the watch and waits until its consumer has returned, so that a caller who closes what the
   * consumer uses next disturbs nothing. It doesn't wait where the consumer itself closes the
   * watch.
   */
  @Override
  public void close() {
    closed = true;
    call.cancel();
    if (Thread.currentThread() != thread) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
