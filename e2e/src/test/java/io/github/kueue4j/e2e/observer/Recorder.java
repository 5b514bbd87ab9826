// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.observer;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.informer.Change;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.testdefaults.Patience;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Keeps every version of every Workload of a namespace that a watch of its own shows. Thread-safe.
 *
 * <p>Give it a connection that no fault disturbs: a watch that has to list anew misses versions.
 */
public final class Recorder implements AutoCloseable {
  private final Informers informers;
  private final InstantSource clock;
  // Guarded by itself.
  private final List<Frame> frames = new ArrayList<>();

  private Recorder(Informers informers, InstantSource clock) {
    this.informers = informers;
    this.clock = clock;
  }

  /**
   * Starts to watch.
   *
   * @param namespace of the Workloads
   * @param also told about every version, on the watch's thread
   */
  public static Recorder start(
      ClusterConnection connection, InstantSource clock, String namespace, Consumer<Frame> also)
      throws InterruptedException {
    Informers informers = Informers.on(connection);
    Recorder recorder = new Recorder(informers, clock);
    informers
        .of(KueueTypes.WORKLOAD)
        .inNamespace(namespace)
        .register()
        .onChange(change -> also.accept(recorder.record(change)));
    informers.start();
    informers.awaitSynced(Patience.LIMIT);
    return recorder;
  }

  private Frame record(Change<Workload> change) {
    Frame frame =
        Frame.of(change.object(), clock.instant(), change instanceof Change.Deleted<Workload>);
    synchronized (frames) {
      frames.add(frame);
    }
    return frame;
  }

  /** Everything so far, in the order of writing. */
  public List<Frame> frames() {
    List<Frame> copy;
    synchronized (frames) {
      copy = new ArrayList<>(frames);
    }
    // A cache may hand on two versions of one object before an earlier one of another.
    copy.sort(Comparator.comparingLong(Frame::version).thenComparing(Frame::deleted));
    return List.copyOf(copy);
  }

  @Override
  public void close() {
    informers.close();
  }
}
