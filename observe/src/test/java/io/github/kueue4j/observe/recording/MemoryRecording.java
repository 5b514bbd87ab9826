// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import static java.util.Comparator.comparing;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.simulation.Simulation;
import io.kubernetes.client.common.KubernetesObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** A recording that a test writes in memory, as a recorder would. */
public final class MemoryRecording {
  private static final long BOUND = 64 * 1024 * 1024;

  private final ByteArrayOutputStream file = new ByteArrayOutputStream();
  private final RecordingWriter writer;
  private final Instant from;

  public MemoryRecording(Instant from) {
    this.from = from;
    this.writer = new RecordingWriter(file, BOUND, from, Optional.empty());
  }

  /** A recording of a simulation, which is run until {@code length} after its start. */
  public static byte[] of(Simulation simulation, Duration length) {
    MemoryRecording recording = new MemoryRecording(Simulation.START);
    simulation.readBy(
        new Simulation.Client() {
          @Override
          public <T extends KubernetesObject> void put(ResourceType<T> type, T object) {
            recording.present(type.kind(), object);
          }
        });
    simulation.whenStored(
        workload -> recording.put(simulation.now(), KueueTypes.WORKLOAD.kind(), workload));
    simulation.run(length);
    return recording.end(Simulation.START.plus(length));
  }

  /** An object that is there from the beginning. */
  public void present(String kind, KubernetesObject object) {
    write(from, true, kind, object);
  }

  /** An object that comes or changes. */
  public void put(Instant at, String kind, KubernetesObject object) {
    write(at, false, kind, object);
  }

  private void write(Instant at, boolean present, String kind, KubernetesObject object) {
    writer.write(
        new RecordedChange(
            at, present, kind, ObjectKey.of(object), RecordedFields.of(kind, object)));
  }

  /** The whole file. */
  public byte[] end(Instant at) {
    writer.end(at, "the test has ended it");
    writer.close();
    return file.toByteArray();
  }

  /** What was recorded. */
  public static RecordedLoad read(byte[] file) {
    try {
      return RecordedLoad.read(new ByteArrayInputStream(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A replay by this configuration. */
  public static ReplayReport replay(
      byte[] file, Configuration configuration, ReplayChanges changes) {
    return LoadReplay.of(read(file), configuration, changes);
  }

  /** The recorded decisions as {@link #said} tells them. */
  public static List<String> decisions(byte[] file) {
    return said(read(file).log().decisions());
  }

  /**
   * Decisions in their order, without their times. Those of one second are in the order of their
   * Workloads, which are written by workers of their own.
   */
  public static List<String> said(List<LoadDecision> decisions) {
    return decisions.stream()
        .sorted(
            comparing((LoadDecision each) -> each.at().truncatedTo(ChronoUnit.SECONDS))
                .thenComparing(each -> each.workload().name()))
        .map(each -> each.workload().name() + " was " + each.what() + ": " + each.detail())
        .toList();
  }
}
