// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.NearestName;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.FeatureGate;
import io.github.kueue4j.core.config.FeatureGates;
import io.github.kueue4j.core.status.SwitchedOff;
import io.github.kueue4j.jobs.CopiedMetadata;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.JobKinds;
import io.github.kueue4j.jobs.PlainPod;
import io.github.kueue4j.jobs.ServingKind;
import io.github.kueue4j.jobs.Unsupported;
import io.kubernetes.client.common.KubernetesObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** All reviewers of writes, by the path of their webhook. */
@API(status = API.Status.INTERNAL)
public final class AdmissionRules {
  /** Also the name of the finalizer of Workloads. */
  private static final String FINALIZER = "kueue.x-k8s.io/resource-in-use";

  private static final String KUEUE = "-kueue-x-k8s-io-v1beta2-";

  /** How many letters of a misspelt name may be wrong. */
  private static final int SLIPS = 2;

  private final FeatureGates gates;
  private final WorkloadRules workloads;
  private final JobRules jobs;
  private final JobDefaults jobDefaults;
  private final PodDefaults podDefaults;
  private final TemplateDefaults templateDefaults;
  private final JobKinds kinds;
  private final List<String> frameworks;
  private final boolean managesJobsWithoutQueue;
  private final DefaultingContext context;
  private final CopiedMetadata copied;
  private final Set<Unsupported.Feature> refused;
  private final SwitchedOff switchedOff;

  /**
   * The rules.
   *
   * @param defaultingContext facts about the cluster
   */
  public AdmissionRules(Configuration configuration, DefaultingContext defaultingContext) {
    this.gates = configuration.featureGates();
    this.kinds = configuration.integrations().kinds();
    this.frameworks = configuration.integrations().frameworks();
    this.managesJobsWithoutQueue = configuration.manageJobsWithoutQueueName();
    this.context = defaultingContext;
    this.copied = configuration.integrations().copied();
    this.refused = configuration.resourceRules().refused();
    this.switchedOff = SwitchedOff.by(configuration);
    this.workloads = new WorkloadRules(gates);
    this.jobs = new JobRules(gates, defaultingContext);
    this.jobDefaults = new JobDefaults(gates, managesJobsWithoutQueue, defaultingContext);
    this.podDefaults =
        new PodDefaults(jobDefaults, configuration.integrations(), defaultingContext);
    this.templateDefaults = new TemplateDefaults(defaultingContext);
  }

  /** The reviewers by path. */
  public Map<String, Reviewer> reviewers() {
    Map<String, Reviewer> reviewers = new HashMap<>();
    reviewers.put("/mutate" + KUEUE + "clusterqueue", AdmissionRules::finalized);
    reviewers.put("/mutate" + KUEUE + "resourceflavor", AdmissionRules::finalized);
    reviewers.put("/mutate" + KUEUE + "workload", this::workloadDefaults);
    reviewers.put("/validate" + KUEUE + "clusterqueue", this::clusterQueue);
    reviewers.put(
        "/validate" + KUEUE + "cohort",
        request ->
            warned(
                request,
                reviewBy(request, Cohort.class, ClusterQueueRules::of),
                Cohort.class,
                each ->
                    with(
                        switchedOff.of(each),
                        nearlyACohort("spec.parentName", each.spec().parentName()))));
    reviewers.put(
        "/validate" + KUEUE + "localqueue",
        request ->
            warned(
                request,
                reviewBy(request, LocalQueue.class, ClusterQueueRules::of),
                LocalQueue.class,
                queue -> with(switchedOff.of(queue), shutOut(queue, request.namespace()))));
    reviewers.put(
        "/validate" + KUEUE + "resourceflavor",
        request ->
            warned(request, reviewBy(request, ResourceFlavor.class, ResourceFlavorRules::of)));
    reviewers.put("/validate" + KUEUE + "workload", this::workload);
    for (JobKind<?> kind : kinds.all()) {
      // The core would never resume a Job of a kind that it doesn't manage.
      boolean managed = frameworks.contains(kind.framework());
      reviewers.put(
          path("/mutate", kind),
          managed
              ? request -> defaults(kind, request).ruling()
              : request -> ReviewResult.allowed());
      reviewers.put(
          path("/validate", kind),
          managed ? request -> job(kind, request) : request -> ReviewResult.allowed());
    }
    for (ServingKind kind : ServingKind.ALL) {
      reviewers.put(
          path("/mutate", kind.type()),
          frameworks.contains(kind.framework())
              ? request -> serving(kind, request)
              : request -> ReviewResult.allowed());
    }
    return Map.copyOf(reviewers);
  }

  private ReviewResult serving(ServingKind kind, AdmissionRequest request) {
    List<Violation> violations = new ArrayList<>(jobs.of(JobTraits.of(request.object())));
    JsonObject old = request.old();
    if (old != null) {
      violations.removeAll(jobs.of(JobTraits.of(old)));
    }
    return violations.isEmpty()
        ? templateDefaults.of(kind, request).ruling()
        : ReviewResult.of(violations);
  }

  private Edits defaults(JobKind<?> kind, AdmissionRequest request) {
    return kind instanceof PlainPod ? podDefaults.of(request) : jobDefaults.of(kind, request);
  }

  /**
   * The path of the webhook for a kind of Jobs.
   *
   * @param verb {@code /mutate} or {@code /validate}
   */
  public static String path(String verb, JobKind<?> kind) {
    return path(verb, kind.type());
  }

  /**
   * The path of the webhook for objects of a type.
   *
   * @param verb {@code /mutate} or {@code /validate}
   */
  public static String path(String verb, ResourceType<?> type) {
    return verb
        + "-"
        + type.group().replace('.', '-')
        + "-"
        + type.version()
        + "-"
        + type.kind().toLowerCase(Locale.ROOT);
  }

  private static ReviewResult finalized(AdmissionRequest request) {
    Edits edits = new Edits(request.object());
    edits.finalizer(FINALIZER);
    return edits.ruling();
  }

  private ReviewResult workloadDefaults(AdmissionRequest request) {
    Edits edits = new Edits(request.object());
    List<String> removed = new ArrayList<>();
    if (!gates.enabled(FeatureGate.PARTIAL_ADMISSION)
        && edits.object().get("spec") instanceof JsonObject spec
        && spec.get("podSets") instanceof JsonArray podSets) {
      int index = 0;
      for (JsonElement podSet : podSets) {
        if (podSet instanceof JsonObject object && object.has("minCount")) {
          edits.remove(object, "/spec/podSets/" + index, "minCount");
          removed.add(
              "spec.podSets[%d].minCount is removed: the feature gate PartialAdmission is off"
                  .formatted(index));
        }
        index++;
      }
    }
    return new ReviewResult.Allowed(edits.ruling().patch(), removed);
  }

  private ReviewResult clusterQueue(AdmissionRequest request) {
    ClusterQueue queue = request.objectAs(ClusterQueue.class);
    if (request.deleting()) {
      return ReviewResult.allowed();
    }
    List<Violation> violations =
        new ArrayList<>(newViolations(request, queue, ClusterQueueRules::of));
    if (gates.enabled(FeatureGate.REJECT_UPDATES_TO_CQ_WITH_INVALID_ON_FLAVORS)) {
      ClusterQueueRules.strategy(queue).stream()
          .filter(violation -> !violations.contains(violation))
          .forEach(violations::add);
    }
    return warned(
        request,
        ReviewResult.of(violations),
        ClusterQueue.class,
        each ->
            with(switchedOff.of(each), nearlyACohort("spec.cohortName", each.spec().cohortName())));
  }

  /**
   * The problem that a LocalQueue is in a namespace whose Workloads its ClusterQueue doesn't take.
   */
  private Optional<String> shutOut(LocalQueue queue, String namespace) {
    return Optional.ofNullable(queue.spec().clusterQueue())
        .filter(name -> context.excludes(name, namespace))
        .map(
            name ->
                "spec.clusterQueue \"%s\" admits no Workload of this queue: its namespaceSelector doesn't select the namespace %s"
                    .formatted(name, namespace));
  }

  /**
   * The problem that a name is probably that of a Cohort, misspelt: one without an object is a
   * Cohort, too.
   */
  private Optional<String> nearlyACohort(String field, @Nullable String name) {
    if (name == null || name.isEmpty()) {
      return Optional.empty();
    }
    Set<String> cohorts = context.cohorts();
    return NearestName.of(name, cohorts)
        .filter(known -> !cohorts.contains(name) && NearestName.distance(name, known) <= SLIPS)
        .map(
            known ->
                "%s \"%s\" names no Cohort that exists, and is one of its own; perhaps \"%s\" is meant"
                    .formatted(field, name, known));
  }

  private static List<String> with(List<String> some, Optional<String> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }

  private ReviewResult workload(AdmissionRequest request) {
    Workload after = request.objectAs(Workload.class);
    if (request.deleting()) {
      return ReviewResult.allowed();
    }
    List<Violation> violations = new ArrayList<>(newViolations(request, after, workloads::of));
    JsonObject old = request.old();
    if (old != null) {
      request
          .oldAs(Workload.class)
          .ifPresent(
              before ->
                  violations.addAll(workloads.ofChange(before, after, old, request.object())));
    }
    ReviewResult result = ReviewResult.of(violations);
    // Most writes are of the status.
    return old != null
            && Objects.equals(old.get("spec"), request.object().get("spec"))
            && annotations(old).equals(annotations(request.object()))
        ? result
        : warned(request, result, Workload.class, switchedOff::of);
  }

  private static Map<String, String> annotations(JsonObject object) {
    return JobTraits.of(object).annotations();
  }

  /**
   * The new Job as both webhooks of a kind see it.
   *
   * @param object the Job with its defaults
   * @param result whether it is allowed then
   */
  @API(status = API.Status.INTERNAL)
  public record ReviewedJob(JsonObject object, ReviewResult result) {}

  /**
   * Reviews a new Job of a managed kind as both webhooks do, one after the other.
   *
   * @throws com.google.gson.JsonParseException if the object isn't of the kind
   */
  public ReviewedJob newJob(JobKind<?> kind, String namespace, JsonObject object) {
    JsonObject defaulted = defaults(kind, new AdmissionRequest(namespace, object, null)).object();
    return new ReviewedJob(defaulted, job(kind, new AdmissionRequest(namespace, defaulted, null)));
  }

  /** Reviews a new object of a managed kind whose pods are queued, as its webhook does. */
  public ReviewedJob newServing(ServingKind kind, String namespace, JsonObject object) {
    AdmissionRequest request = new AdmissionRequest(namespace, object, null);
    return new ReviewedJob(templateDefaults.of(kind, request).object(), serving(kind, request));
  }

  /** The violations of a new Workload. */
  public List<Violation> newWorkload(Workload workload) {
    return workloads.of(workload);
  }

  private <T extends KubernetesObject> ReviewResult job(JobKind<T> kind, AdmissionRequest request) {
    if (request.deleting()) {
      return ReviewResult.allowed();
    }
    JobTraits after = JobTraits.of(kind, request.object());
    List<Violation> violations = new ArrayList<>(jobs.of(after));
    JsonObject old = request.old();
    if (old == null) {
      violations.addAll(JobRules.partialAdmission(after));
    } else {
      JobTraits earlier = JobTraits.of(kind, old);
      violations.removeAll(jobs.of(earlier));
      violations.addAll(jobs.ofChange(request.namespace(), earlier, after));
    }
    boolean managed = managesJobsWithoutQueue || after.queue().isPresent();
    boolean before =
        old != null && (managesJobsWithoutQueue || JobTraits.of(old).queue().isPresent());
    if (managed || before) {
      // An object without a queue may ask for anything, until it names one.
      refusal(kind, request.object())
          .filter(refusal -> !before || refusal(kind, Objects.requireNonNull(old)).isEmpty())
          .ifPresent(violations::add);
    }
    ReviewResult result = ReviewResult.of(violations);
    return warned(
        request,
        result,
        job ->
            Stream.concat(
                    AskedInVain.misplaced(job, copied).stream(),
                    managed
                        ? Stream.concat(
                            Unsupported.in(job).stream(), AskedInVain.gatedOff(job, gates).stream())
                        : Stream.of())
                .toList());
  }

  private static <T extends KubernetesObject> Optional<Violation> refusal(
      JobKind<T> kind, JsonObject object) {
    Findings findings = new Findings();
    kind.refusal(KueueJson.fromTree(object, kind.type()))
        .ifPresent(why -> findings.forbidden("spec", why));
    return findings.all().stream().findFirst();
  }

  private ReviewResult warned(AdmissionRequest request, ReviewResult result) {
    return warned(request, result, Unsupported::in);
  }

  /** The result with a warning of each thing that is asked for in vain, and wasn't before. */
  private ReviewResult warned(
      AdmissionRequest request,
      ReviewResult result,
      Function<JsonObject, List<Unsupported>> inVain) {
    if (request.deleting() || !(result instanceof ReviewResult.Allowed allowed)) {
      return result;
    }
    List<Unsupported> asked = new ArrayList<>(inVain.apply(request.object()));
    JsonObject old = request.old();
    if (old != null) {
      asked.removeAll(inVain.apply(old));
    }
    return new ReviewResult.Allowed(
        allowed.patch(), asked.stream().map(each -> each.text(refused)).toList());
  }

  /** The same, and with a warning of each field that has no effect, and wasn't there before. */
  private <T> ReviewResult warned(
      AdmissionRequest request,
      ReviewResult result,
      Class<T> type,
      Function<T, List<String>> ineffective) {
    if (request.deleting() || !(warned(request, result) instanceof ReviewResult.Allowed allowed)) {
      return result;
    }
    List<String> warnings = new ArrayList<>(ineffective.apply(request.objectAs(type)));
    request.oldAs(type).map(ineffective).ifPresent(warnings::removeAll);
    warnings.addAll(allowed.warnings());
    return new ReviewResult.Allowed(allowed.patch(), warnings);
  }

  private static <T> ReviewResult reviewBy(
      AdmissionRequest request, Class<T> type, Function<T, List<Violation>> rules) {
    T object = request.objectAs(type);
    return request.deleting()
        ? ReviewResult.allowed()
        : ReviewResult.of(newViolations(request, object, rules));
  }

  /** The violations of the stored object, which an update may keep. */
  private static <T> List<Violation> newViolations(
      AdmissionRequest request, T object, Function<T, List<Violation>> rules) {
    List<Violation> violations = new ArrayList<>(rules.apply(object));
    @SuppressWarnings("unchecked") // getClass of a T
    Class<T> type = (Class<T>) object.getClass();
    JsonObject old = request.old();
    if (old != null) {
      request
          .oldAs(type)
          .map(before -> known(rules.apply(before), old))
          .ifPresent(
              known -> violations.removeIf(each -> known.contains(keyed(each, request.object()))));
    }
    return violations;
  }

  private static Set<Violation> known(List<Violation> violations, JsonObject object) {
    return violations.stream().map(each -> keyed(each, object)).collect(Collectors.toSet());
  }

  private static Violation keyed(Violation violation, JsonObject object) {
    return new Violation(
        KeyedField.of(object, violation.field()),
        violation.problem(),
        violation.value(),
        violation.detail());
  }
}
