// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSetUpdate;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.gpu.fit.Shortage;
import io.github.kueue4j.gpu.source.CapacitySource;
import io.github.kueue4j.gpu.source.CapacitySources;
import io.github.kueue4j.http.HttpBackends;
import io.github.kueue4j.http.Unavailability;
import io.github.kueue4j.sdk.BackendHealth;
import io.github.kueue4j.sdk.BackendUnavailableException;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Circumstances;
import io.github.kueue4j.sdk.DelayEndingCheck;
import io.github.kueue4j.sdk.ErrorPolicy;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.ProbingCheck;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.maintenance.MaintenanceQueue;
import io.github.kueue4j.sdk.objects.Watch;
import io.github.kueue4j.sdk.objects.Watched;
import io.kubernetes.client.openapi.models.V1Node;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apiguardian.api.API;

/**
 * Lets workloads through for whose pods there is room on the nodes, and keeps it for them until
 * their pods are bound; sends the others back with a growing delay. The package says how room is
 * counted.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class GpuAvailabilityCheck
    implements ProbingCheck<GpuPolicy>, DelayEndingCheck<GpuPolicy> {

  private static final Reason NO_GPUS = Reason.of("GpusUnavailable");
  private static final Reason NO_DOMAIN = Reason.of("NoDomainHasRoom");
  private static final Reason NEVER_FITS = Reason.of("NeverFits");
  private static final Reason NODES_LOST = Reason.of("NodesLost");
  private static final Reason SOURCE_UNAVAILABLE = Reason.of("CapacitySourceUnavailable");
  private static final ResourceType<CustomResource<GpuPolicy.Spec>> POLICIES =
      ResourceType.clusterScoped(
          "checks.kueue4j.io/v1alpha1", "GpuAvailabilityPolicy", GpuPolicy.Spec.class);

  /** What is maintained besides AdmissionChecks: the line of those that wait. */
  private static final List<ObjectKey> LINE = List.of(ObjectKey.cluster("waiting"));

  private final Capacity capacity;
  private final CapacitySources sources;
  private final InstantSource clock;
  private final Runnable lineChanged;
  private final Misfits misfits = new Misfits();

  /**
   * A check.
   *
   * @param clock for probes; an evaluation has its own time
   * @param lineChanged has the room offered soon to those that wait
   */
  GpuAvailabilityCheck(
      Capacity capacity, HttpBackends backends, InstantSource clock, Runnable lineChanged) {
    this.capacity = capacity;
    this.sources = new CapacitySources(backends, capacity::moment);
    this.clock = clock;
    this.lineChanged = lineChanged;
  }

  /** The definitions of the kinds of its parameters, as YAML. */
  public static List<String> crds() {
    return Crds.beside(GpuAvailabilityCheck.class, POLICIES);
  }

  /** The check as a controller that can still be changed, for example to serve metrics. */
  public static CheckController.Builder builder(CheckEnvironment environment, GpuOptions options) {
    CheckController.Builder controller =
        CheckController.builder(options.controllerName(), environment)
            .namesDelays()
            .recheckReadyEvery(options.recheckEvery());
    Watched<V1Node> nodes =
        controller.watch(Watch.of(CoreTypes.NODE).trimmed(Trimming::node).quietly());
    ClusterObjects objects =
        new ClusterObjects(
            options.controllerName(),
            nodes,
            controller.watch(Watch.of(CoreTypes.POD).trimmed(Trimming::pod).quietly()),
            controller.watch(Watch.of(CoreTypes.JOB).trimmed(Trimming::job).quietly()),
            controller.workloads(),
            controller.resourceFlavors(),
            controller.admissionChecks());
    HttpBackends backends = options.backends();
    controller.whenClosed(backends::close);
    Capacity capacity = new Capacity(objects, options.withoutParameters());
    Offers offers = new Offers(capacity, controller.waker()::wake);
    InstantSource clock = environment.time() == null ? TimeSource.wallClock() : environment.time();
    GpuMeters meters = new GpuMeters(capacity, options.withoutParameters());
    MaintenanceQueue line =
        controller.maintain(
            "waiting",
            objects.checks(),
            key -> {
              meters.update();
              return offers.offer(clock.instant());
            });
    line.whenChanged(nodes, node -> LINE)
        .whenChanged(objects.pods(), pod -> LINE)
        .whenChanged(objects.workloads(), workload -> LINE);
    return controller
        .measure(meters::bindTo)
        .check(
            Parameters.of(POLICIES, GpuPolicy.Spec::policy)
                .orElse(options.withoutParameters())
                .reportingStatus(),
            new GpuAvailabilityCheck(capacity, backends, clock, () -> LINE.forEach(line::wake)));
  }

  /** The check as a controller, not yet started. */
  public static CheckController controller(CheckEnvironment environment, GpuOptions options) {
    return builder(environment, options).build();
  }

  @Override
  public Verdict evaluate(Evaluation<GpuPolicy> evaluation) throws InterruptedException {
    capacity.takeIn(evaluation);
    GpuPolicy policy = evaluation.parameters();
    if (evaluation.entry().is(CheckState.READY)) {
      return recheck(evaluation, policy);
    }
    Demand demand = Demand.of(evaluation.workload(), evaluation.podSets(), policy);
    if (demand.isEmpty()) {
      return Verdict.ready(
          demand.autoscaled().isEmpty()
              ? (policy.countsDevicesOnly()
                  ? "The workload needs no GPUs."
                  : "The workload needs none of " + String.join(", ", policy.resources()) + ".")
              : "The nodes of "
                  + String.join(", ", demand.autoscaled())
                  + " are made when they are needed: that is left to provisioning.");
    }
    if (demand.asksSource()) {
      ask(policy, evaluation.now());
    }
    return switch (capacity.reserve(evaluation, demand)) {
      case Capacity.Outcome.Kept(Demand.Placed placed) -> {
        misfits.remove(evaluation);
        yield ready(policy, placed.domains());
      }
      case Capacity.Outcome.Refused(Refusal refusal) -> refused(evaluation, demand, refusal);
    };
  }

  private static Verdict ready(GpuPolicy policy, Map<String, String> domains) {
    if (policy.domain().isEmpty()) {
      return Verdict.ready(
          policy.countsDevicesOnly() ? "GPUs are available." : "There is room for all pods.");
    }
    String label = policy.domain().get().label();
    if (domains.isEmpty()) {
      return Verdict.ready(
          "No domain of " + label + " has room for all pods: they may start on any nodes.");
    }
    return Verdict.ready(
        "There is room in "
            + label
            + "="
            + String.join(", ", new TreeSet<>(domains.values()))
            + ".",
        domains.entrySet().stream()
            .map(
                one ->
                    PodSetUpdate.of(one.getKey()).withNodeSelector(Map.of(label, one.getValue())))
            .toList());
  }

  private void ask(GpuPolicy policy, Instant now) throws InterruptedException {
    if (policy.capacitySource().isPresent()) {
      CapacitySource source = policy.capacitySource().get();
      capacity.offered(source, sources.offered(source, now));
    }
  }

  @Override
  public ErrorPolicy errorPolicy(GpuPolicy policy, Exception failure, ErrorPolicy usual) {
    return policy
        .capacitySource()
        .flatMap(CapacitySource::unavailable)
        .orElse(Unavailability.USUAL)
        .policy(failure, usual);
  }

  @Override
  public List<String> remarks(GpuPolicy policy, Circumstances at) {
    return policy.remarks(at);
  }

  /** Also keeps what the source offers up to date while nothing is evaluated. */
  @Override
  public BackendHealth probe(String check, GpuPolicy policy) throws InterruptedException {
    if (policy.capacitySource().isEmpty()) {
      return BackendHealth.up();
    }
    try {
      ask(policy, clock.instant());
    } catch (BackendUnavailableException e) {
      return BackendHealth.down(SOURCE_UNAVAILABLE, String.valueOf(e.getMessage()));
    }
    lineChanged.run();
    return BackendHealth.up();
  }

  private Verdict refused(Evaluation<GpuPolicy> evaluation, Demand demand, Refusal refusal) {
    GpuPolicy policy = evaluation.parameters();
    Shortage shortage = refusal.shortage();
    String why = Wording.of(refusal, demand);
    // What a source doesn't offer now, it may offer later.
    boolean offered = CapacitySource.isOffered(shortage.group().needs().constraints());
    if (offered || !shortage.isForGood()) {
      misfits.remove(evaluation);
      return sentBack(
          evaluation,
          demand,
          shortage instanceof Shortage.LargerThanAnyDomain ? NO_DOMAIN : NO_GPUS,
          why);
    }
    return switch (policy.neverFits()) {
      case REJECTED -> {
        Duration left = misfits.seen(evaluation);
        if (!left.isPositive()) {
          yield Verdict.rejected(NEVER_FITS, why);
        }
        capacity.waits(evaluation, demand, evaluation.now());
        yield Verdict.pending(
            why + " The Workload is rejected once that has been so for five minutes.", left);
      }
      case PENDING -> {
        capacity.waits(evaluation, demand, evaluation.now());
        yield Verdict.pending(why + " The quota is kept until there is such a node.");
      }
      case RETRY -> sentBack(evaluation, demand, NEVER_FITS, why);
    };
  }

  private Verdict sentBack(
      Evaluation<GpuPolicy> evaluation, Demand demand, Reason reason, String why) {
    GpuPolicy policy = evaluation.parameters();
    if (policy.wakeInBackoff()) {
      capacity.waits(evaluation, demand, evaluation.now());
    }
    return Verdict.retry(
        reason, why + " Retrying in {delay} (attempt {attempt})", policy.backoff());
  }

  /**
   * Without a reservation it is not known which flavor the next one will assign. The wait ends
   * early when there is room on the flavors that the last reservation assigned; the evaluation that
   * follows the next one decides.
   */
  @Override
  public Optional<String> delayEnds(Evaluation<GpuPolicy> waiting) {
    capacity.takeIn(waiting);
    if (!waiting.parameters().wakeInBackoff()) {
      return Optional.empty();
    }
    if (capacity.waiting(waiting).isEmpty()) {
      rejoin(waiting);
      return Optional.empty();
    }
    return capacity.isOffered(waiting.key())
        ? Optional.of(
            waiting.parameters().countsDevicesOnly()
                ? "GPUs have become available."
                : "Room has become available.")
        : Optional.empty();
  }

  /**
   * Lets a workload that a former process sent back wait again; the flavors of its last reservation
   * aren't known any more: it waits for room on any node that its pods' own constraints all. At
   * worst it comes back once for nothing.
   */
  private void rejoin(Evaluation<GpuPolicy> waiting) {
    GpuPolicy policy = waiting.parameters();
    Demand demand = Demand.of(waiting.workload(), waiting.podSets(), policy);
    if (!demand.isEmpty()) {
      capacity.waits(waiting, demand, waiting.entry().lastTransitionTime());
      lineChanged.run();
    }
  }

  private Verdict recheck(Evaluation<GpuPolicy> evaluation, GpuPolicy policy) {
    Optional<String> lostDomain = capacity.lostDomain(evaluation);
    if (lostDomain.isPresent()) {
      return Verdict.retry(
          NO_DOMAIN,
          lostDomain.get() + " Queued again in {delay} (attempt {attempt})",
          policy.backoff());
    }
    Optional<String> lost =
        switch (policy.lostNodes()) {
          case IGNORE -> Optional.empty();
          case EVICT -> capacity.lost(evaluation);
        };
    return lost.<Verdict>map(
            what ->
                Verdict.retry(
                    NODES_LOST,
                    what + " Queued again in {delay} (attempt {attempt})",
                    policy.backoff()))
        .orElseGet(() -> Verdict.unchanged("Its nodes are there."));
  }
}
