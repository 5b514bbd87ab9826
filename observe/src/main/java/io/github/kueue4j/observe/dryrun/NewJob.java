// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.admission.Violation;
import io.github.kueue4j.core.config.Integrations;
import io.github.kueue4j.core.owner.NewWorkloads;
import io.github.kueue4j.core.owner.Priorities;
import io.github.kueue4j.jobs.Equivalence;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.JobWorkload;
import io.github.kueue4j.observe.explain.Explain;
import io.github.kueue4j.observe.explain.ExplainInputReader;
import io.github.kueue4j.observe.explain.Explanation;
import io.github.kueue4j.observe.explain.MissingRights;
import io.github.kueue4j.observe.explain.Reason;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A Job of a known kind on its way from its creation to the scheduler. */
final class NewJob<T extends KubernetesObject> {
  /** What an explanation says of a Job that nothing keeps from getting a Workload. */
  private static final Set<Reason> GETS_WORKLOAD =
      Set.of(Reason.CORE_ABOUT_TO_ACT, Reason.WORKLOAD_NOT_CREATED);

  private final DryRun run;
  private final JobKind<T> kind;
  private final ObjectKey key;

  NewJob(DryRun run, JobKind<T> kind, ObjectKey key) {
    this.run = run;
    this.kind = kind;
    this.key = key;
  }

  DryRunResult result(Manifest manifest) {
    Creation creation = Creation.ofJob(run, kind, manifest);
    return creation
        .refusal()
        .map(why -> result(DryRunOutcome.REFUSED, "It is refused: " + why + "."))
        .orElseGet(() -> created(KueueJson.fromTree(creation.object(), kind.type())))
        .warning(creation.warnings())
        .warning(run.remarks());
  }

  private DryRunResult result(DryRunOutcome outcome, String summary) {
    return DryRunResult.of(kind.type().kind(), key, outcome, summary);
  }

  private DryRunResult created(T job) {
    return notTaken(job)
        .or(() -> onPrebuilt(job))
        .or(() -> notQueued(job))
        .orElseGet(() -> withWorkload(job));
  }

  /**
   * Why the core leaves it alone; empty if it doesn't. Then it is among the objects that were read.
   */
  Optional<DryRunResult> notTaken(T job) {
    V1ObjectMeta metadata = Objects.requireNonNull(job.getMetadata(), "metadata");
    Optional<V1OwnerReference> controller = managedController(metadata);
    if (controller.isPresent()) {
      return outcome(
          DryRunOutcome.NOT_QUEUED,
          "Its controller is %s %s: if that is queued, this one runs on its quota. Try that one."
              .formatted(controller.get().getKind(), controller.get().getName()));
    }
    Optional<String> unknown = run.unknown(kind, key.namespace());
    if (unknown.isPresent()) {
      return outcome(DryRunOutcome.UNKNOWN, unknown.get());
    }
    if (!run.objects().readable(KueueTypes.LOCAL_QUEUE, key.namespace())
        || !run.objects().readable(KueueTypes.WORKLOAD, key.namespace())) {
      return outcome(
          DryRunOutcome.UNKNOWN,
          MissingRights.toSchedule(run.objects().unreadable()).orElseThrow());
    }
    run.create(metadata);
    if (!kind.manageable(job)) {
      return outcome(
          DryRunOutcome.NOT_QUEUED,
          "The core leaves it alone, and it runs without quota: it names no queue, or the core manages"
              + " no such objects in its namespace.");
    }
    run.objects().put(kind.type(), job);
    return Optional.empty();
  }

  private Optional<DryRunResult> outcome(DryRunOutcome outcome, String summary) {
    return Optional.of(result(outcome, summary));
  }

  private Optional<DryRunResult> onPrebuilt(T job) {
    return JobWorkload.prebuilt(job)
        .flatMap(
            name -> run.objects().find(KueueTypes.WORKLOAD, new ObjectKey(key.namespace(), name)))
        .map(prebuilt -> onPrebuilt(job, prebuilt));
  }

  /** Why it gets no Workload; empty if it gets one. */
  Optional<DryRunResult> notQueued(T job) {
    Explanation why = explanation(singular() + "/" + key.name());
    if (!GETS_WORKLOAD.contains(why.reason())) {
      return Optional.of(result(DryRunOutcome.NOT_QUEUED, why.summary()).explainedBy(why));
    }
    Optional<String> unqueued = kind.refusal(job).or(() -> kind.unknownPods(job));
    if (unqueued.isPresent()) {
      return outcome(DryRunOutcome.NOT_QUEUED, "It can't be queued: " + unqueued.get() + ".");
    }
    return MissingRights.toSchedule(run.objects().unreadable())
        .map(unforeseen -> result(DryRunOutcome.UNKNOWN, unforeseen))
        .or(() -> unprioritized(job));
  }

  private static Stream<V1OwnerReference> owners(V1ObjectMeta metadata) {
    return Metadata.owners(metadata).stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()));
  }

  /** The controller, if the core or an external controller may manage it. */
  private Optional<V1OwnerReference> managedController(V1ObjectMeta metadata) {
    Integrations integrations = run.configuration().integrations();
    return owners(metadata)
        .filter(
            owner ->
                integrations.managed().stream()
                        .filter(JobKind::createsJobs)
                        .map(JobKind::type)
                        .anyMatch(type -> type.isNamed(owner.getApiVersion(), owner.getKind()))
                    || integrations.external().stream()
                        .anyMatch(each -> each.is(owner.getApiVersion(), owner.getKind())))
        .findFirst();
  }

  private String singular() {
    return kind.type().kind().toLowerCase(Locale.ROOT) + "." + kind.type().group();
  }

  private Explanation explanation(String name) {
    return Explain.why(
        new ExplainInputReader(run.objects(), run.configuration()).read(key.namespace(), name),
        run.now());
  }

  /** A prebuilt Workload is queued by itself, so the scheduler has tried it already. */
  private DryRunResult onPrebuilt(T job, Workload workload) {
    String name = "workload/" + workload.key().name();
    Optional<String> other =
        owners(workload.metadata())
            .findFirst()
            .map(owner -> owner.getKind() + " " + owner.getName());
    if (other.isPresent()) {
      return result(
          DryRunOutcome.NOT_QUEUED,
          "Its prebuilt Workload %s belongs to %s: it doesn't run."
              .formatted(workload.key().name(), other.get()));
    }
    if (workload.conditions().finished()
        || !Equivalence.sameRequest(kind.podSets(job), workload.spec().podSets())) {
      return result(
          DryRunOutcome.NOT_QUEUED,
          "Its prebuilt Workload %s has finished or is for other pods: it doesn't run."
              .formatted(workload.key().name()));
    }
    Optional<String> unforeseen = MissingRights.toSchedule(run.objects().unreadable());
    if (unforeseen.isPresent()) {
      return result(DryRunOutcome.UNKNOWN, unforeseen.get());
    }
    if (run.trial().reserved(workload.key()).isEmpty()
        && workload.conditions().holdsQuota()
        && !workload.conditions().evicted()) {
      boolean starts = workload.conditions().admitted();
      return result(
          starts ? DryRunOutcome.ADMITTED : DryRunOutcome.QUOTA_RESERVED,
          "Its prebuilt Workload %s holds quota already%s."
              .formatted(
                  workload.key().name(),
                  starts ? ": it starts at once" : "; 'explain " + name + "' says what it awaits"));
    }
    return scheduledAs(workload);
  }

  /** The result that its priority can't be foreseen; empty if it can. */
  private Optional<DryRunResult> unprioritized(T job) {
    boolean named = JobWorkload.priorityClass(job).isPresent();
    boolean unknown =
        named
            ? priority(job) instanceof Priorities.PriorityLookup.Missing
            : run.objects().unreadable().contains(CoreTypes.PRIORITY_CLASS)
                && kind.podPriorityClass(job).isPresent();
    return unknown
        ? outcome(
            DryRunOutcome.UNKNOWN,
            "Its priority can't be foreseen: that needs get and list of %s."
                .formatted(
                    (named ? KueueTypes.WORKLOAD_PRIORITY_CLASS : CoreTypes.PRIORITY_CLASS)
                        .plural()))
        : Optional.empty();
  }

  private Priorities.PriorityLookup priority(T job) {
    ReadObjects objects = run.objects();
    return new Priorities(
            name -> objects.find(KueueTypes.WORKLOAD_PRIORITY_CLASS, ObjectKey.cluster(name)),
            name -> objects.find(CoreTypes.PRIORITY_CLASS, ObjectKey.cluster(name)),
            () -> objects.all(CoreTypes.PRIORITY_CLASS))
        .of(kind, job);
  }

  /** The priority of one that is queued. */
  JobWorkload.Priority knownPriority(T job) {
    return switch (priority(job)) {
      case Priorities.PriorityLookup.Known known -> known.priority();
      case Priorities.PriorityLookup.Missing missing -> JobWorkload.Priority.none();
    };
  }

  /** The Workload that is made for it. */
  Workload workload(T job) {
    return NewWorkloads.of(run.configuration())
        .of(kind, job, kind.podSets(job), knownPriority(job));
  }

  private DryRunResult withWorkload(T job) {
    Workload workload = workload(job);
    return submit(workload).orElseGet(() -> scheduledAs(workload));
  }

  /** Has a new Workload scheduled; why the API server refuses it, or empty if it doesn't. */
  Optional<DryRunResult> submit(Workload workload) {
    run.create(workload.metadata());
    List<Violation> violations = run.rules().newWorkload(workload);
    if (!violations.isEmpty()) {
      return outcome(
          DryRunOutcome.NOT_QUEUED,
          "The API server refuses the Workload that it asks for: "
              + Creation.text(violations)
              + ".");
    }
    run.trial().submit(workload);
    return Optional.empty();
  }

  /** The decision of the scheduler about a Workload. */
  DryRunResult scheduledAs(Workload workload) {
    return new SchedulerAnswer(run, workload, kind.type().kind(), key)
        .result(
            stated -> {
              run.objects().put(KueueTypes.WORKLOAD, stated);
              return explanation("workload/" + stated.key().name());
            });
  }
}
