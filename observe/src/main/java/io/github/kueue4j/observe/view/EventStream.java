// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sends transitions as server-sent events (HTML standard, "Server-sent events"). A stream ends by
 * itself after {@link #LIFE}, so that it never holds a thread for long; the client comes again with
 * the id of the last event that it has, and gets all later ones. If they aren't all known any more,
 * an event {@code reset} precedes those that are.
 */
final class EventStream {
  static final Duration LIFE = Duration.ofSeconds(40);
  private static final Duration HEARTBEAT = Duration.ofSeconds(10);

  /** How many earlier events a client without an id gets. */
  private static final int EARLIER = 200;

  private static final Pattern ID = Pattern.compile("([0-9a-f]{8})-(\\d{1,18})");

  private final Transitions transitions;
  private final Duration life;

  EventStream(Transitions transitions, Duration life) {
    this.transitions = transitions;
    this.life = life;
  }

  /**
   * Answers a request until the stream's life is over or the client has gone.
   *
   * @param namespace whose Workloads it is about; empty for all
   * @throws ViewProblem if the client names an event that can't be one
   * @throws InterruptedException if the thread is interrupted
   */
  void answer(HttpExchange exchange, String namespace) throws IOException, InterruptedException {
    StreamStart start = start(exchange.getRequestHeaders().getFirst("Last-Event-ID"));
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    OutputStream out = exchange.getResponseBody();
    send(out, "retry: 1000\n\n");
    if (start.reset()) {
      send(out, "event: reset\ndata: {}\n\n");
    }
    long sent = start.after();
    long end = System.nanoTime() + life.toNanos();
    do {
      List<Transition> next = transitions.after(sent);
      StringBuilder text = new StringBuilder();
      for (Transition each : next) {
        sent = each.number();
        if (namespace.isEmpty() || namespace.equals(each.namespace())) {
          text.append("id: ").append(transitions.epoch()).append('-').append(sent);
          text.append("\nevent: transition\ndata: ").append(ViewJson.of(each)).append("\n\n");
        }
      }
      // A comment also shows whether the client is still there.
      send(out, text.isEmpty() ? ": still here\n\n" : text.toString());
      long left = end - System.nanoTime();
      transitions.await(sent, Duration.ofNanos(Math.max(0, Math.min(left, HEARTBEAT.toNanos()))));
    } while (System.nanoTime() < end);
  }

  private record StreamStart(long after, boolean reset) {}

  private StreamStart start(@Nullable String lastEvent) {
    if (lastEvent == null || lastEvent.isEmpty()) {
      return new StreamStart(Math.max(0, transitions.last() - EARLIER), false);
    }
    Matcher id = ID.matcher(lastEvent);
    if (!id.matches()) {
      throw ViewProblem.invalid("Last-Event-ID", lastEvent, "send the id of an event, or none");
    }
    long number = Long.parseLong(id.group(2));
    return id.group(1).equals(transitions.epoch()) && transitions.hasAllAfter(number)
        ? new StreamStart(number, false)
        : new StreamStart(Math.max(0, transitions.last() - EARLIER), true);
  }

  private static void send(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
