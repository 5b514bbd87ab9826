// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.admission.AdmissionRules;
import io.github.kueue4j.core.admission.ReviewResult;
import io.github.kueue4j.core.admission.Syntax;
import io.github.kueue4j.core.admission.Violation;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.Integrations;
import io.github.kueue4j.core.job.Equivalence;
import io.github.kueue4j.core.job.JobKind;
import io.github.kueue4j.core.job.JobWorkload;
import io.github.kueue4j.core.owner.NewWorkloads;
import io.github.kueue4j.core.owner.Priorities;
import io.github.kueue4j.observe.explain.Explain;
import io.github.kueue4j.observe.explain.ExplainInputReader;
import io.github.kueue4j.observe.explain.Explanation;
import io.github.kueue4j.observe.explain.MissingRights;
import io.github.kueue4j.observe.explain.Reason;
import io.github.kueue4j.runtime.KubernetesApiException;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A Job of a known kind on its way from its creation to the scheduler. */
final class NewJob<T extends KubernetesObject> {
  /** What an explanation says of a Job that nothing keeps from getting a Workload. */
  private static final Set<Reason> GETS_WORKLOAD =
      Set.of(Reason.CORE_ABOUT_TO_ACT, Reason.WORKLOAD_NOT_CREATED);

  private final DryRun run;
  private final JobKind<T> kind;
  private final ObjectKey key;
  private final AdmissionRules rules;
  private final List<String> warnings = new ArrayList<>();

  NewJob(DryRun run, JobKind<T> kind, ObjectKey key) {
    this.run = run;
    this.kind = kind;
    this.key = key;
    Configuration configuration = run.configuration();
    this.rules =
        new AdmissionRules(
            configuration, new ReadContext(run.objects(), configuration.managedNamespaces()));
  }

  DryRunResult result(Manifest manifest) {
    return refusal(manifest)
        .map(why -> result(DryRunOutcome.REFUSED, "It is refused: " + why + "."))
        .orElseGet(() -> reviewed(manifest))
        .warning(Stream.concat(run.remarks().stream(), warnings.stream()).toList());
  }

  private DryRunResult result(DryRunOutcome outcome, String summary) {
    return DryRunResult.of(kind.type().kind(), key, outcome, summary);
  }

  /** Why the API server refuses it whatever its spec; it also checks that by a schema. */
  private Optional<String> refusal(Manifest manifest) {
    ReadObjects objects = run.objects();
    if (!objects.serves(kind.type())) {
      return Optional.of(
          "the cluster doesn't serve " + kind.type().qualifiedName() + "; install its definition");
    }
    if (key.name().isEmpty()) {
      return Optional.of("metadata.name: Required value: name or generateName is required");
    }
    Optional<String> misnamed = Syntax.subdomain(key.name());
    if (misnamed.isPresent()) {
      return misnamed.map(why -> "metadata.name: Invalid value: \"" + key.name() + "\": " + why);
    }
    if (objects.find(CoreTypes.NAMESPACE, ObjectKey.cluster(key.namespace())).isEmpty()
        && !objects.unreadable().contains(CoreTypes.NAMESPACE)) {
      return Optional.of("namespaces \"" + key.namespace() + "\" not found; create it, or take -n");
    }
    if (objects.find(kind.type(), key).isPresent()) {
      return Optional.of(
          kind.type().plural()
              + " \""
              + key.name()
              + "\" already exists; 'explain' says what it waits for");
    }
    return manifest.tree().get("spec") instanceof JsonObject
        ? Optional.empty()
        : Optional.of("spec: Required value");
  }

  /** Goes through the webhooks, if the core has any. */
  private DryRunResult reviewed(Manifest manifest) {
    try {
      if (!run.reviews() || !run.configuration().integrations().managed().contains(kind)) {
        return stored(manifest, manifest.tree());
      }
      AdmissionRules.ReviewedJob reviewed = rules.newJob(kind, key.namespace(), manifest.tree());
      return switch (reviewed.result()) {
        case ReviewResult.Refused refused ->
            result(DryRunOutcome.REFUSED, "It is refused: " + text(refused.violations()) + ".");
        case ReviewResult.Allowed allowed -> {
          warnings.addAll(allowed.warnings());
          yield stored(manifest, reviewed.object());
        }
      };
    } catch (JsonParseException e) {
      return result(DryRunOutcome.REFUSED, "It is refused: it can't be read: " + Manifest.words(e));
    }
  }

  private static String text(List<Violation> violations) {
    return violations.stream().map(Violation::toString).collect(Collectors.joining("; "));
  }

  /** Asks what else the API server has against it: its schema, quotas and other webhooks. */
  private DryRunResult stored(Manifest manifest, JsonObject tree) {
    Optional<KubernetesApiException> refusal = run.refusal(manifest);
    if (refusal.filter(NewJob::isFinal).isPresent()) {
      return result(DryRunOutcome.REFUSED, "It is refused: " + refusal.get().statusMessage() + ".");
    }
    refusal.ifPresent(
        unasked ->
            warnings.add(
                (lacksRight(unasked)
                        ? "you may not create %s in the namespace %s"
                            .formatted(kind.type().qualifiedName(), key.namespace())
                        : "the API server couldn't be asked (" + unasked.statusMessage() + ")")
                    + ": what its schema, quotas and other webhooks refuse isn't foreseen"));
    return created(tree);
  }

  /** Whether the object would be refused, and not only the question. */
  private static boolean isFinal(KubernetesApiException refusal) {
    return switch (refusal) {
      case KubernetesApiException.Forbidden forbidden -> !lacksRight(forbidden);
      case KubernetesApiException.BadRequest bad ->
          !bad.statusMessage().contains("does not support dry run");
      case KubernetesApiException.ServerFailure failure ->
          failure.statusMessage().contains("failed calling webhook");
      case KubernetesApiException.Invalid invalid -> true;
      case KubernetesApiException.AlreadyExists exists -> true;
      case KubernetesApiException.Conflict conflict -> true;
      case KubernetesApiException.NotFound missing -> true;
      default -> false;
    };
  }

  /** Whether the user may not create such objects; admission may forbid one, too. */
  private static boolean lacksRight(KubernetesApiException refusal) {
    return refusal instanceof KubernetesApiException.Forbidden
        && refusal.statusMessage().contains(" cannot create resource ");
  }

  private DryRunResult created(JsonObject tree) {
    T job = KueueJson.fromTree(tree, kind.type());
    V1ObjectMeta metadata = Objects.requireNonNull(job.getMetadata(), "metadata");
    Optional<V1OwnerReference> controller = managedController(metadata);
    if (controller.isPresent()) {
      return result(
          DryRunOutcome.NOT_QUEUED,
          "Its controller is %s %s: if that is queued, this one runs on its quota. Try that one."
              .formatted(controller.get().getKind(), controller.get().getName()));
    }
    Optional<String> group = kind.group(job);
    if (group.isPresent()) {
      return result(
          DryRunOutcome.UNKNOWN,
          "It belongs to the group %s: what becomes of one pod depends on the others."
              .formatted(group.get()));
    }
    Optional<String> unknown = run.unknown(kind, key.namespace());
    if (unknown.isPresent()) {
      return result(DryRunOutcome.UNKNOWN, unknown.get());
    }
    if (!run.objects().readable(KueueTypes.LOCAL_QUEUE, key.namespace())
        || !run.objects().readable(KueueTypes.WORKLOAD, key.namespace())) {
      return result(
          DryRunOutcome.UNKNOWN,
          MissingRights.toSchedule(run.objects().unreadable()).orElseThrow());
    }
    run.create(metadata);
    if (!kind.manageable(job)) {
      return result(
          DryRunOutcome.NOT_QUEUED,
          "The core leaves it alone, and it runs without quota: it names no queue, or the core manages"
              + " no such objects in its namespace.");
    }
    run.objects().put(kind.type(), job);
    Optional<Workload> prebuilt =
        JobWorkload.prebuilt(job)
            .flatMap(
                name ->
                    run.objects().find(KueueTypes.WORKLOAD, new ObjectKey(key.namespace(), name)));
    if (prebuilt.isPresent()) {
      return onPrebuilt(job, prebuilt.get());
    }
    Explanation why = explanation(singular() + "/" + key.name());
    if (!GETS_WORKLOAD.contains(why.reason())) {
      return result(DryRunOutcome.NOT_QUEUED, why.summary()).explainedBy(why);
    }
    Optional<String> unqueued = kind.refusal(job);
    if (unqueued.isPresent()) {
      return result(DryRunOutcome.NOT_QUEUED, "It can't be queued: " + unqueued.get() + ".");
    }
    return MissingRights.toSchedule(run.objects().unreadable())
        .map(unforeseen -> result(DryRunOutcome.UNKNOWN, unforeseen))
        .orElseGet(() -> withWorkload(job));
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

  private DryRunResult withWorkload(T job) {
    ReadObjects objects = run.objects();
    if (JobWorkload.priorityClass(job).isEmpty()
        && objects.unreadable().contains(CoreTypes.PRIORITY_CLASS)
        && kind.podPriorityClass(job).isPresent()) {
      return unknownPriority(CoreTypes.PRIORITY_CLASS);
    }
    Priorities priorities =
        new Priorities(
            name -> objects.find(KueueTypes.WORKLOAD_PRIORITY_CLASS, ObjectKey.cluster(name)),
            name -> objects.find(CoreTypes.PRIORITY_CLASS, ObjectKey.cluster(name)),
            () -> objects.all(CoreTypes.PRIORITY_CLASS));
    return switch (priorities.of(kind, job)) {
      case Priorities.PriorityLookup.Known known ->
          scheduled(
              NewWorkloads.of(run.configuration())
                  .of(kind, job, kind.podSets(job), known.priority()));
      case Priorities.PriorityLookup.Missing missing ->
          unknownPriority(KueueTypes.WORKLOAD_PRIORITY_CLASS);
    };
  }

  private DryRunResult unknownPriority(ResourceType<?> classes) {
    return result(
        DryRunOutcome.UNKNOWN,
        "Its priority can't be foreseen: that needs get and list of %s."
            .formatted(classes.plural()));
  }

  private DryRunResult scheduled(Workload workload) {
    run.create(workload.metadata());
    List<Violation> violations = rules.newWorkload(workload);
    if (!violations.isEmpty()) {
      return result(
          DryRunOutcome.NOT_QUEUED,
          "The API server refuses the Workload that it asks for: " + text(violations) + ".");
    }
    run.trial().submit(workload);
    return scheduledAs(workload);
  }

  private DryRunResult scheduledAs(Workload workload) {
    return new SchedulerAnswer(run, workload, kind.type().kind(), key)
        .result(
            stated -> {
              run.objects().put(KueueTypes.WORKLOAD, stated);
              return explanation("workload/" + stated.key().name());
            });
  }
}
