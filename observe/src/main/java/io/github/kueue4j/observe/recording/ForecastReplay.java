// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import com.google.gson.JsonObject;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.observe.dryrun.DryRunInput;
import io.github.kueue4j.observe.dryrun.ReadObjects;
import io.github.kueue4j.observe.forecast.Forecast;
import io.github.kueue4j.observe.forecast.QuotaForecast;
import io.github.kueue4j.observe.recording.ForecastOutcome.WaitEnd;
import io.kubernetes.client.common.KubernetesObject;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Asks of recorded Workloads, a second after each came, when they get quota, with nothing but what
 * was recorded until then, and waits for what comes of it. So a recording tells how far the
 * forecasts of a cluster can be trusted. A recording doesn't know what had finished before it
 * began: in its first hours a forecast has less to go by than one in the cluster had.
 *
 * <p>A function of its arguments: no clock, no randomness.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ForecastReplay {
  /** Until then a core has reserved what it can at once. */
  private static final Duration SETTLED = Duration.ofSeconds(1);

  private final Configuration configuration;
  private final int every;
  private final ReadObjects objects = new ReadObjects();

  /** When to ask about those that have come, the first first. */
  private final Map<ObjectKey, Instant> due = new LinkedHashMap<>();

  private final Map<ObjectKey, Asked> open = new LinkedHashMap<>();
  private final List<ForecastOutcome> outcomes = new ArrayList<>();
  private int arrived;

  private record Asked(Instant at, String clusterQueue, QuotaForecast forecast) {
    /** The outcome of a forecast; the recording's end is known later. */
    ForecastOutcome outcome(ObjectKey workload, Instant until, WaitEnd end) {
      return new ForecastOutcome(
          workload, clusterQueue, at, forecast, Duration.between(at, until), end, until);
    }
  }

  private ForecastReplay(Configuration configuration, int every) {
    this.configuration = configuration;
    this.every = every;
  }

  /**
   * Asks of the Workloads of a recording that don't get quota at once.
   *
   * @param configuration of the core
   * @param every of how many that come one is asked about, at least 1; an answer takes up to a
   *     second
   * @return in the order in which it was known what came of them
   * @throws IllegalArgumentException if the file is no recording; the message is the end of a
   *     sentence about the file
   * @throws IOException if it can't be read
   */
  public static List<ForecastOutcome> of(InputStream file, Configuration configuration, int every)
      throws IOException {
    ForecastReplay replay = new ForecastReplay(configuration, every);
    RecordingReader.Extent extent = RecordingReader.read(file, replay::take);
    replay.askUntil(extent.to());
    replay.open.forEach(
        (key, asked) ->
            replay.outcomes.add(asked.outcome(key, extent.to(), WaitEnd.RECORDING_ENDED)));
    return replay.outcomes.stream().map(each -> each.recordedUntil(extent.to())).toList();
  }

  private void take(RecordedChange change) {
    askUntil(change.at());
    if (change.kind().equals(RecordedChange.WORKLOAD)) {
      takeWorkload(change);
    } else {
      put(Objects.requireNonNull(RecordedChange.KINDS.get(change.kind())), change);
    }
  }

  private <T extends KubernetesObject> void put(ResourceType<T> type, RecordedChange change) {
    JsonObject object = change.object();
    if (object == null) {
      objects.remove(type, change.key());
    } else {
      objects.put(type, KueueJson.fromTree(object, type));
    }
  }

  private void takeWorkload(RecordedChange change) {
    ObjectKey key = change.key();
    Workload known = objects.find(KueueTypes.WORKLOAD, key).orElse(null);
    put(KueueTypes.WORKLOAD, change);
    Workload read = objects.find(KueueTypes.WORKLOAD, key).orElse(null);
    boolean reserved = read != null && read.conditions().holdsQuota();
    if (read == null || reserved || read.conditions().finished()) {
      due.remove(key);
      close(key, change.at(), reserved ? WaitEnd.RESERVED : WaitEnd.GONE);
    } else if (known == null && !change.present() && arrived++ % every == 0) {
      due.put(key, change.at().plus(SETTLED));
    }
    // The spec is told only where it changes.
    if (read != null && known != null && !Objects.requireNonNull(change.object()).has("spec")) {
      objects.put(KueueTypes.WORKLOAD, read.withSpec(known.spec()));
    }
  }

  private void close(ObjectKey key, Instant at, WaitEnd end) {
    Asked asked = open.remove(key);
    if (asked != null) {
      outcomes.add(asked.outcome(key, at, end));
    }
  }

  /** Asks what is due before the next change. */
  private void askUntil(Instant next) {
    while (!due.isEmpty()) {
      Map.Entry<ObjectKey, Instant> first = due.entrySet().iterator().next();
      if (first.getValue().isAfter(next)) {
        return;
      }
      due.remove(first.getKey());
      Workload workload = objects.find(KueueTypes.WORKLOAD, first.getKey()).orElseThrow();
      QuotaForecast forecast =
          Forecast.of(DryRunInput.of(objects, configuration), first.getKey(), first.getValue());
      open.put(first.getKey(), new Asked(first.getValue(), clusterQueue(workload), forecast));
    }
  }

  private String clusterQueue(Workload workload) {
    return Optional.ofNullable(workload.spec().queueName())
        .flatMap(
            name ->
                objects.find(
                    KueueTypes.LOCAL_QUEUE, new ObjectKey(workload.key().namespace(), name)))
        .map((LocalQueue queue) -> queue.spec().clusterQueue())
        .orElse("");
  }
}
