// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.stories;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.client.RefusedRequestException;
import io.github.kueue4j.testkit.client.UnreachableServerException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.yaml.snakeyaml.Yaml;

/** A user who tries to create a Job ten times in a second, without keeping it. */
final class Requests implements AutoCloseable {
  private static final Duration PACE = Duration.ofMillis(100);

  private final Actors actors = Actors.onPlatformThreads("user");
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicInteger answered = new AtomicInteger();
  private final List<String> refused = new CopyOnWriteArrayList<>();
  private volatile long lastRefusal;
  private final Act<Boolean> act;

  private Requests(JsonApi api, String path, JsonNode job) {
    act =
        actors.start(
            () ->
                await()
                    .forever()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(PACE)
                    .until(
                        () -> {
                          ask(api, path, job);
                          return stopped.get();
                        }));
  }

  /** Begins at once. */
  static Requests start(JsonApi api, StoryJob job) {
    ObjectNode tree = new ObjectMapper().valueToTree(new Yaml().load(job.yaml()));
    // One that is suspended needs no webhook, and passes while no core runs.
    ((ObjectNode) tree.path("spec")).put("suspend", false);
    return new Requests(
        api, "/apis/batch/v1/namespaces/" + job.namespace() + "/jobs?dryRun=All", tree);
  }

  private void ask(JsonApi api, String path, JsonNode job) {
    try {
      api.create(path, job);
      answered.incrementAndGet();
    } catch (RefusedRequestException | UnreachableServerException e) {
      lastRefusal = System.nanoTime();
      refused.add(String.valueOf(e.getMessage()));
    }
  }

  /** Ends after the request that is under way. */
  void stop() {
    stopped.set(true);
    act.await();
  }

  int answered() {
    return answered.get();
  }

  /** The messages of those that were refused. */
  List<String> refused() {
    return List.copyOf(refused);
  }

  /**
   * From a reading of {@code System.nanoTime} to the last request that was refused; zero if none.
   */
  Duration refusedUntil(long from) {
    return refused.isEmpty() ? Duration.ZERO : Duration.ofNanos(lastRefusal - from);
  }

  @Override
  public void close() {
    stopped.set(true);
    actors.close();
  }
}
