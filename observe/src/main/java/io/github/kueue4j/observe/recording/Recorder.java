// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import com.google.gson.JsonObject;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.informer.Change;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.runtime.informer.InitialSyncTimeoutException;
import io.kubernetes.client.common.KubernetesObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Watches what decides about quota and what becomes of the Workloads, and writes both down. It only
 * reads, so it works beside any core that serves the API. Its memory holds the recorded fields of
 * the objects that exist, whatever the length of the recording.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Recorder implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Without them a recording is less exact; their readers are often administrators only. */
  private static final Set<ResourceType<?>> DISPENSABLE =
      Set.of(CoreTypes.LIMIT_RANGE, CoreTypes.RUNTIME_CLASS);

  private final RecordingWriter writer;
  private final InstantSource clock;
  private final Runnable full;
  private final Informers informers;
  private final Instant from;
  private final List<String> unread = new ArrayList<>();
  private volatile boolean begun;
  private volatile @Nullable RuntimeException failure;

  private Recorder(
      ClusterConnection connection,
      RecordingWriter writer,
      Instant from,
      InstantSource clock,
      Runnable full) {
    this.writer = writer;
    this.from = from;
    this.clock = clock;
    this.full = full;
    this.informers = Informers.on(connection);
  }

  /**
   * Begins to record.
   *
   * @param from as the recording says it begins
   * @param full is called from another thread once nothing more fits, or can be written
   * @throws InitialSyncTimeoutException if not all objects could be read within half a minute
   * @throws KubernetesApiException if the server refuses
   */
  public static Recorder start(
      ClusterConnection connection,
      RecordingWriter writer,
      Instant from,
      InstantSource clock,
      Runnable full)
      throws InterruptedException {
    Recorder recorder = new Recorder(connection, writer, from, clock, full);
    try {
      RecordedChange.TYPES.forEach(type -> recorder.watch(type, connection.api()));
      recorder.informers.start();
      recorder.informers.awaitSynced(PATIENCE);
      recorder.begun = true;
      return recorder;
    } catch (RuntimeException | InterruptedException e) {
      recorder.close();
      throw e;
    }
  }

  /** The plurals of the types that may not be read, and so are missing in the recording. */
  public List<String> unread() {
    return List.copyOf(unread);
  }

  /**
   * Throws what has kept the recording from being written.
   *
   * @throws java.io.UncheckedIOException if there is something
   */
  public void check() {
    RuntimeException failed = failure;
    if (failed != null) {
      throw failed;
    }
  }

  /** What it watches by. */
  Informers informers() {
    return informers;
  }

  private <T extends KubernetesObject> void watch(ResourceType<T> type, KubernetesApi api) {
    try {
      if (!type.group().isEmpty() && !api.serves(type)) {
        return;
      }
      if (DISPENSABLE.contains(type)) {
        api.list(type, ListOptions.all());
      }
    } catch (KubernetesApiException.Forbidden e) {
      unread.add(type.plural());
      return;
    }
    informers
        .of(type)
        .transform(object -> KueueJson.fromTree(recorded(type, object), type))
        .register()
        .onChange(change -> take(type, change));
  }

  /** The recorded fields, and the version by which the informer tells one from the next. */
  private static JsonObject recorded(ResourceType<?> type, KubernetesObject object) {
    JsonObject tree = RecordedFields.of(type.kind(), object);
    if (object.getMetadata() != null) {
      tree.getAsJsonObject("metadata")
          .addProperty("resourceVersion", object.getMetadata().getResourceVersion());
    }
    return tree;
  }

  private <T extends KubernetesObject> void take(ResourceType<T> type, Change<T> change) {
    if (failure != null) {
      return;
    }
    KubernetesObject before = change instanceof Change.Updated<T> updated ? updated.before() : null;
    boolean deleted = change instanceof Change.Deleted<T>;
    if (finished(before) || ((deleted || before == null) && finished(change.object()))) {
      return; // A finished Workload decides nothing any more.
    }
    JsonObject now = RecordedFields.of(type.kind(), change.object());
    if (before != null) {
      JsonObject then = RecordedFields.of(type.kind(), before);
      if (then.equals(now)) {
        return;
      }
      if (type.kind().equals(RecordedChange.WORKLOAD) && same(then, now)) {
        now.remove("spec");
      }
    }
    try {
      boolean present = !begun;
      Instant at = present ? from : clock.instant();
      JsonObject object = deleted ? null : now;
      if (!writer.write(new RecordedChange(at, present, type.kind(), change.key(), object))) {
        full.run();
      }
    } catch (RuntimeException e) {
      failure = e;
      full.run();
    }
  }

  private static boolean same(JsonObject then, JsonObject now) {
    return then.has("spec") && then.get("spec").equals(now.get("spec"));
  }

  private static boolean finished(@Nullable KubernetesObject object) {
    return object instanceof Workload workload && workload.conditions().finished();
  }

  @Override
  public void close() {
    informers.close();
  }
}
