// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import com.google.gson.JsonObject;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A recording that was read: what administrators, users, checks and pods did, and what became of
 * the Workloads. Of a Workload it keeps what a replay needs, not its versions.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class RecordedLoad {
  private final List<RecordedChange> administration = new ArrayList<>();
  private final Map<ObjectKey, WorkloadScript> current = new HashMap<>();
  private final List<WorkloadScript> scripts = new ArrayList<>();
  private final DecisionLog log = new DecisionLog();
  private RecordingReader.Extent extent =
      new RecordingReader.Extent(Instant.MIN, Instant.MIN, 0, Optional.empty(), Optional.empty());

  private RecordedLoad() {}

  /**
   * Reads a recording.
   *
   * @throws IllegalArgumentException if it is none, one of another version or damaged; the message
   *     is the end of a sentence about the file
   * @throws IOException if it can't be read
   */
  public static RecordedLoad read(InputStream file) throws IOException {
    RecordedLoad load = new RecordedLoad();
    load.extent = RecordingReader.read(file, load::take);
    return load;
  }

  private void take(RecordedChange change) {
    if (!change.kind().equals(RecordedChange.WORKLOAD)) {
      administration.add(change);
      return;
    }
    WorkloadScript known = current.get(change.key());
    JsonObject object = change.object();
    if (object == null) {
      if (known != null) {
        known.delete(change.at());
        log.deleted(change.key(), change.at());
        current.remove(change.key());
      }
      return;
    }
    Workload read = KueueJson.fromTree(object, KueueTypes.WORKLOAD);
    Workload workload =
        known == null || object.has("spec") ? read : read.withSpec(known.latest().spec());
    // One that changed before all kinds had been listed is told twice.
    boolean present = change.present() && known == null;
    if (known == null || !Uids.of(known.latest()).equals(Uids.of(workload))) {
      WorkloadScript script = new WorkloadScript(change.at(), workload, present);
      current.put(change.key(), script);
      scripts.add(script);
      if (!present) {
        log.arrived(script.arrived, change.at());
      }
    } else {
      known.take(change.at(), workload);
    }
    if (present) {
      log.present(workload, change.at());
    } else {
      log.take(workload, change.at());
    }
  }

  /** What the file says of itself. */
  public RecordingReader.Extent extent() {
    return extent;
  }

  /** The changes of everything but Workloads. */
  List<RecordedChange> administration() {
    return administration;
  }

  /** The Workloads, in the order of their arrival. */
  List<WorkloadScript> scripts() {
    return scripts;
  }

  /** What became of the Workloads. */
  DecisionLog log() {
    return log;
  }

  /** The number of Workloads. */
  public int workloads() {
    return scripts.size();
  }

  /** How long Workloads ran that came to their end. */
  Optional<Duration> typicalRun() {
    return median(
        scripts.stream()
            .filter(WorkloadScript::ranToItsEnd)
            .flatMap(
                script ->
                    Optional.ofNullable(script.ended).stream()
                        .map(end -> script.runs.getLast().atLeast(end)))
            .toList());
  }

  /** How long each check took to say Ready, by its name. */
  Map<String, Duration> typicalAnswers() {
    Map<String, List<Duration>> delays = new HashMap<>();
    for (WorkloadScript script : scripts) {
      script.asks.forEach(
          (check, asks) ->
              asks.forEach(
                  ask ->
                      ask.answers().stream()
                          .filter(answer -> answer.entry().is(CheckState.READY))
                          .findFirst()
                          .ifPresent(
                              answer ->
                                  delays
                                      .computeIfAbsent(check, any -> new ArrayList<>())
                                      .add(Duration.between(ask.at(), answer.at())))));
    }
    Map<String, Duration> typical = new LinkedHashMap<>();
    delays.forEach((check, some) -> median(some).ifPresent(known -> typical.put(check, known)));
    return typical;
  }

  private static Optional<Duration> median(Collection<Duration> some) {
    return some.stream().sorted().skip(Math.max(0, (some.size() - 1) / 2)).findFirst();
  }
}
