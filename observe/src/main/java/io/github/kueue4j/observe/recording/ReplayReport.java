// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.FlavorQuotas;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceQuota;
import io.github.kueue4j.core.quota.FlavorResource;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * A recording and its replay side by side.
 *
 * @param extent of the recording
 * @param workloads how many it has
 * @param queues the ClusterQueues by their names
 * @param recorded how many decisions were recorded
 * @param same how many of them the replay took, too: about the same Workload, with the same outcome
 *     and at the same time, give or take {@link #TOLERANCE}
 * @param replayed the decisions that the replay took, in their order
 * @param differences the others, as sentences, those first that come first
 * @param assumptions what the recording doesn't tell and the replay assumed, as sentences
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ReplayReport(
    RecordingReader.Extent extent,
    int workloads,
    SortedMap<String, QueueComparison> queues,
    int recorded,
    int same,
    List<LoadDecision> replayed,
    List<String> differences,
    List<String> assumptions) {

  /** By how much the times of the same decision may differ: the API's own are in whole seconds. */
  public static final Duration TOLERANCE = WorkloadScript.SAME;

  /** A ClusterQueue as it was recorded, and in the replay. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public record QueueComparison(QueueFigures recorded, QueueFigures replayed) {}

  /**
   * The figures about the Workloads of a ClusterQueue.
   *
   * @param admitted how many were admitted, not counting those that ran when the recording began
   * @param notAdmitted how many were not, until the recording ended or they were deleted
   * @param deactivated how many were not because they were deactivated, by a user, a limit or a
   *     check that rejected them; they waited no longer, and count in no wait
   * @param waits of those that were admitted, from their creation to their first admission, in
   *     ascending order
   * @param preemptions how often one was evicted for another
   * @param uses the use of each nominal quota
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public record QueueFigures(
      int admitted,
      int notAdmitted,
      int deactivated,
      List<Duration> waits,
      int preemptions,
      SortedMap<String, QuotaUse> uses) {

    /**
     * The wait that this share of the Workloads doesn't exceed. Those that were not admitted count
     * as having waited longest, since they would have.
     *
     * @param share above 0, at most 1
     * @return empty if that many were not admitted, or there are none
     */
    public Optional<Duration> waitWithin(double share) {
      int rank = (int) Math.ceil(share * (admitted + notAdmitted));
      return rank >= 1 && rank <= waits.size()
          ? Optional.of(waits.get(rank - 1))
          : Optional.empty();
    }
  }

  /**
   * The use of one quota.
   *
   * @param nominal the nominal quota, at the end
   * @param mean what was used on average over time
   * @param steps from when on how much was used
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public record QuotaUse(BigDecimal nominal, double mean, SortedMap<Instant, BigDecimal> steps) {
    /** The used share of the nominal quota; empty if that is 0. More than 1 is borrowed. */
    public Optional<Double> share() {
      return nominal.signum() == 0 ? Optional.empty() : Optional.of(mean / nominal.doubleValue());
    }
  }

  static ReplayReport of(
      RecordedLoad load,
      DecisionLog replayed,
      Administration administration,
      LoadReplay.Assumptions assumed) {
    Map<String, ClusterQueue> before = new HashMap<>();
    Map<ObjectKey, String> localQueues = new HashMap<>();
    for (RecordedChange change : load.administration()) {
      if (change.object() != null && change.kind().equals(KueueTypes.CLUSTER_QUEUE.kind())) {
        before.put(
            change.key().name(), KueueJson.fromTree(change.object(), KueueTypes.CLUSTER_QUEUE));
      } else if (change.object() != null && change.kind().equals(KueueTypes.LOCAL_QUEUE.kind())) {
        LocalQueue queue = KueueJson.fromTree(change.object(), KueueTypes.LOCAL_QUEUE);
        localQueues.put(change.key(), queue.spec().clusterQueue());
      }
    }
    Map<String, ClusterQueue> after = new HashMap<>(before);
    administration
        .objects()
        .all(KueueTypes.CLUSTER_QUEUE)
        .forEach(queue -> after.put(ObjectKey.of(queue).name(), queue));
    SortedMap<String, QueueComparison> queues = new TreeMap<>();
    RecordingReader.Extent extent = load.extent();
    before
        .keySet()
        .forEach(
            name ->
                queues.put(
                    name,
                    new QueueComparison(
                        figures(name, before, load.log(), localQueues, extent),
                        figures(name, after, replayed, localQueues, extent))));
    Agreement agreement = Agreement.of(load.log().decisions(), replayed.decisions());
    return new ReplayReport(
        extent,
        load.workloads(),
        queues,
        load.log().decisions().size(),
        agreement.same(),
        List.copyOf(replayed.decisions()),
        agreement.differences(),
        sentences(assumed));
  }

  private static List<String> sentences(LoadReplay.Assumptions assumed) {
    List<String> sentences = new ArrayList<>();
    note(
        sentences,
        assumed.endlessRuns,
        "%d runs had not ended when the recording did: they hold their quota to its end.");
    note(
        sentences,
        assumed.typicalRuns,
        "%d runs were never recorded to their end: they take the median of those that were, or go"
            + " on where none was.");
    note(
        sentences,
        assumed.typicalAnswers,
        "%d answers of checks were never recorded: the check says Ready after the median of its"
            + " recorded answers, or at once where there is none.");
    note(
        sentences,
        assumed.replaced,
        "%d Workloads still waited or ran when one of the same name came: they are taken away.");
    return sentences;
  }

  private static void note(List<String> sentences, int count, String sentence) {
    if (count > 0) {
      sentences.add(sentence.formatted(count));
    }
  }

  private static QueueFigures figures(
      String name,
      Map<String, ClusterQueue> queues,
      DecisionLog log,
      Map<ObjectKey, String> localQueues,
      RecordingReader.Extent extent) {
    List<DecisionLog.WorkloadLife> lives =
        log.lives().stream()
            .filter(
                life ->
                    name.equals(
                        life.clusterQueue().orElseGet(() -> localQueues.get(life.localQueue))))
            .toList();
    List<DecisionLog.WorkloadLife> came = lives.stream().filter(life -> !life.ranBefore).toList();
    List<DecisionLog.WorkloadLife> waiting =
        came.stream().filter(life -> !life.endedWaiting()).toList();
    List<Duration> waits =
        waiting.stream()
            .flatMap(
                life ->
                    Optional.ofNullable(life.admitted).stream()
                        .map(admitted -> Duration.between(life.arrival, admitted)))
            .sorted()
            .toList();
    SortedMap<String, QuotaUse> uses = new TreeMap<>();
    Objects.requireNonNull(queues.get(name)).spec().resourceGroups().stream()
        .flatMap(group -> group.flavors().stream())
        .forEach(flavor -> uses(name, flavor, log, extent, uses));
    return new QueueFigures(
        waits.size(),
        waiting.size() - waits.size(),
        came.size() - waiting.size(),
        waits,
        lives.stream().mapToInt(life -> life.preemptions).sum(),
        uses);
  }

  private static void uses(
      String queue,
      FlavorQuotas flavor,
      DecisionLog log,
      RecordingReader.Extent extent,
      Map<String, QuotaUse> uses) {
    for (ResourceQuota resource : flavor.resources()) {
      FlavorResource key = new FlavorResource(flavor.name(), resource.name());
      SortedMap<Instant, BigDecimal> changes = new TreeMap<>();
      changes.put(extent.from(), BigDecimal.ZERO);
      log.lives().stream()
          .flatMap(life -> life.stays.stream())
          .filter(stay -> stay.clusterQueue.equals(queue) && stay.usage.containsKey(key))
          .forEach(
              stay -> {
                BigDecimal amount = Objects.requireNonNull(stay.usage.get(key));
                changes.merge(stay.from, amount, BigDecimal::add);
                if (stay.to != null) {
                  changes.merge(stay.to, amount.negate(), BigDecimal::add);
                }
              });
      uses.put(
          flavor.name() + "/" + resource.name(),
          use(resource.nominalQuota().amount(), changes, extent));
    }
  }

  private static QuotaUse use(
      BigDecimal nominal, SortedMap<Instant, BigDecimal> changes, RecordingReader.Extent extent) {
    SortedMap<Instant, BigDecimal> steps = new TreeMap<>();
    BigDecimal used = BigDecimal.ZERO;
    Instant since = extent.from();
    double area = 0;
    for (Map.Entry<Instant, BigDecimal> change : changes.entrySet()) {
      area += used.doubleValue() * seconds(since, change.getKey());
      used = used.add(change.getValue());
      steps.put(change.getKey(), used);
      since = change.getKey();
    }
    area += used.doubleValue() * seconds(since, extent.to());
    double length = seconds(extent.from(), extent.to());
    return new QuotaUse(nominal, length == 0 ? 0 : area / length, steps);
  }

  private static double seconds(Instant from, Instant to) {
    return Duration.between(from, to).toMillis() / 1000.0;
  }

  /** How many decisions are the same, and which are not. */
  private record Agreement(int same, List<String> differences) {
    private record Difference(Instant at, String sentence) {}

    static Agreement of(List<LoadDecision> recorded, List<LoadDecision> replayed) {
      Map<LoadDecision.Identity, LoadDecision> again =
          replayed.stream()
              .collect(
                  Collectors.toMap(
                      LoadDecision::identity,
                      Function.identity(),
                      (one, other) -> one,
                      LinkedHashMap::new));
      List<Difference> differences = new ArrayList<>();
      int same = 0;
      for (LoadDecision decision : recorded) {
        LoadDecision other = again.remove(decision.identity());
        if (other == null) {
          differences.add(
              new Difference(decision.at(), said(decision) + ", and not in the replay"));
        } else if (!other.detail().equals(decision.detail())) {
          differences.add(
              new Difference(decision.at(), said(decision) + ", in the replay " + other.detail()));
        } else if (apart(decision, other).compareTo(TOLERANCE) > 0) {
          differences.add(
              new Difference(decision.at(), said(decision) + ", in the replay at " + other.at()));
        } else {
          same++;
        }
      }
      again
          .values()
          .forEach(
              other ->
                  differences.add(new Difference(other.at(), said(other) + " in the replay only")));
      return new Agreement(
          same,
          differences.stream()
              .sorted(Comparator.comparing(Difference::at))
              .map(Difference::sentence)
              .toList());
    }

    private static Duration apart(LoadDecision one, LoadDecision other) {
      return Duration.between(one.at(), other.at()).abs();
    }

    private static String said(LoadDecision decision) {
      return "%s: %s was %s (%s)"
          .formatted(decision.at(), decision.workload(), decision.what(), decision.detail());
    }
  }
}
