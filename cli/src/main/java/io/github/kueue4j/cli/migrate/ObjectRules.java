// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.migrate;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.ApiObject;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.cli.objects.StoredObject;
import io.github.kueue4j.core.admission.AskedInVain;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.ExternalKind;
import io.github.kueue4j.core.config.Integrations;
import io.github.kueue4j.core.config.Launch;
import io.github.kueue4j.core.config.ManagedNamespaces;
import io.github.kueue4j.jobs.ServingKind;
import io.github.kueue4j.jobs.UnmanagedKind;
import io.github.kueue4j.jobs.Unsupported;
import io.github.kueue4j.jobs.yaml.InvalidConfigurationException;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The findings about the objects: kinds of Jobs, fields, states. */
final class ObjectRules {
  /** Annotation of the Workload of a group of pods, none of which is its controller. */
  private static final String GROUP_WORKLOAD = "kueue.x-k8s.io/is-group-workload";

  /** Kinds that are supported without a declaration, by the name of their framework. */
  private static final Map<String, String> KINDS = kinds(Integrations.ofAll());

  private static final String MULTI_KUEUE = "kueue.x-k8s.io/multikueue";
  private static final String PROVISIONING = "kueue.x-k8s.io/provisioning-request";
  private static final int EXAMPLES = 3;

  /** Conditions of Jobs, JobSets and Workloads that have ended. */
  private static final Set<String> ENDED = Set.of("Complete", "Completed", "Failed", "Finished");

  private final ClusterFacts facts;

  /** The defaults if there is none; empty if it can't be read. */
  private final Optional<Configuration> configuration;

  private final List<Finding> findings = new ArrayList<>();

  private ObjectRules(ClusterFacts facts) {
    this.facts = facts;
    this.configuration = configuration(facts);
  }

  private static Optional<Configuration> configuration(ClusterFacts facts) {
    if (facts.configuration().isEmpty()) {
      return Optional.of(Configuration.defaults());
    }
    try {
      return Optional.of(
          Configuration.parse(
              facts.configuration().get().yaml(), Launch.plain().ignoringUnsupported(true)));
    } catch (InvalidConfigurationException toldByInstallationRules) {
      return Optional.empty();
    }
  }

  static List<Finding> findings(ClusterFacts facts, Direction direction) {
    ObjectRules rules = new ObjectRules(facts);
    if (direction == Direction.IN) {
      rules.unmanagedOwners();
      rules.unmanagedKinds();
      rules.templatesWithoutQueue();
      rules.unsupported();
      rules.unusableChecks();
      rules.otherKinds();
      rules.fields(
          FieldUse.Meaning.UNKNOWN, "this core's definitions don't have it: it is dropped");
      rules.fields(FieldUse.Meaning.OUT_OF_SCOPE, "it stays stored and nothing acts on it");
      rules.delaysThatEnd();
      rules.evicting();
    } else {
      rules.fields(
          FieldUse.Meaning.EXTENSION, "others drop it: keep the manifest for the way back");
      rules.delaysLeft();
      rules.retries();
    }
    return rules.findings;
  }

  private void unmanagedOwners() {
    Set<String> managed = managedKinds();
    Map<String, List<ObjectKey>> byKind = new TreeMap<>();
    for (Workload workload : facts.workloads()) {
      if (!workload.conditions().finished()) {
        for (String kind : owners(workload)) {
          if (!managed.contains(kind)) {
            byKind.computeIfAbsent(kind, unseen -> new ArrayList<>()).add(ObjectKey.of(workload));
          }
        }
      }
    }
    byKind.forEach(
        (kind, workloads) ->
            findings.add(
                Finding.blocks(
                    counted(workloads.size(), "Workload") + " of " + kind,
                    "This core doesn't manage the kind: what waits is never started, what runs is"
                        + " never stopped ("
                        + examples(workloads)
                        + ").",
                    "Let them finish or delete them first, or have their own controller make the"
                        + " Workloads and name it in integrations.externalFrameworks.")));
  }

  /** What the configuration names; without one, every kind that this core knows, but no pods. */
  private Set<String> managedKinds() {
    if (facts.configuration().isEmpty() || configuration.isEmpty()) {
      Set<String> known = new TreeSet<>(KINDS.values());
      known.remove(groupAndKind("v1", "Pod"));
      ServingKind.ALL.forEach(
          kind -> known.remove(groupAndKind(kind.type().apiVersion(), kind.type().kind())));
      return known;
    }
    Integrations integrations = configuration.get().integrations();
    return Stream.concat(
            integrations.frameworks().stream().map(kinds(integrations)::get),
            integrations.external().stream()
                .map((ExternalKind each) -> each.group() + '/' + each.kind()))
        .collect(Collectors.toSet());
  }

  private static Map<String, String> kinds(Integrations integrations) {
    return integrations.types().entrySet().stream()
        .collect(
            Collectors.toUnmodifiableMap(
                Map.Entry::getKey,
                each -> groupAndKind(each.getValue().apiVersion(), each.getValue().kind())));
  }

  /**
   * The kind of the controller; of all owners if none is one, as with a group. Of a StatefulSet
   * whose Workload this core has made it is the controller.
   */
  private static Set<String> owners(Workload workload) {
    List<V1OwnerReference> owners = Metadata.owners(workload);
    List<V1OwnerReference> controllers =
        owners.stream().filter(owner -> Boolean.TRUE.equals(owner.getController())).toList();
    return (controllers.isEmpty() ? owners : controllers)
        .stream()
            .map(ObjectRules::groupAndKind)
            .map(
                kind ->
                    (controllers.isEmpty() && !ofPodGroup(workload, kind) ? "a group of " : "")
                        + kind)
            .collect(Collectors.toCollection(TreeSet::new));
  }

  private static boolean ofPodGroup(Workload workload, String kind) {
    Map<String, String> annotations = workload.getMetadata().getAnnotations();
    return kind.equals(groupAndKind("v1", "Pod"))
        && annotations != null
        && "true".equals(annotations.get(GROUP_WORKLOAD));
  }

  private static String groupAndKind(V1OwnerReference owner) {
    return groupAndKind(owner.getApiVersion(), owner.getKind());
  }

  /** For example {@code batch/Job} and {@code core/Pod}. */
  static String groupAndKind(String apiVersion, String kind) {
    int slash = apiVersion.indexOf('/');
    return (slash < 0 ? "core" : apiVersion.substring(0, slash)) + '/' + kind;
  }

  /** Reports objects that name a queue, but belong to no Workload of this core. */
  private void unmanagedKinds() {
    Set<String> managed = managedKinds();
    Map<String, List<StoredObject>> queued = new TreeMap<>(facts.unmanaged());
    KINDS.values().forEach(kind -> queued.put(kind, facts.jobs(kind)));
    queued.keySet().removeAll(managed);
    queued.forEach(
        (kind, objects) -> {
          List<ObjectKey> keys =
              objects.stream()
                  .filter(each -> !ended(KueueJson.toTree(each).getAsJsonObject()))
                  .filter(each -> !belongsToOneOf(managed, each))
                  .map(StoredObject::key)
                  .toList();
          if (!keys.isEmpty()) {
            findings.add(
                Finding.blocks(
                    counted(keys.size(), kind) + " with metadata.labels[kueue.x-k8s.io/queue-name]",
                    "This core doesn't manage the kind: it runs without quota, whatever queue it"
                        + " names ("
                        + examples(keys)
                        + ").",
                    KINDS.containsValue(kind)
                        ? "Name the kind in integrations.frameworks, or take the label away."
                        : instead(kind)));
          }
        });
  }

  /**
   * Reports templates without a queue whose object had one before a core carried it into templates.
   */
  private void templatesWithoutQueue() {
    Set<String> managed = managedKinds();
    for (ServingKind kind : ServingKind.ALL) {
      String name = groupAndKind(kind.type().apiVersion(), kind.type().kind());
      List<ObjectKey> keys =
          facts.jobs(name).stream()
              .filter(each -> managed.contains(name))
              .filter(each -> kind.lacksQueue(KueueJson.toTree(each)))
              .map(StoredObject::key)
              .toList();
      if (!keys.isEmpty()) {
        findings.add(
            Finding.changes(
                counted(keys.size(), name) + " whose pod template names another queue or none",
                "Its pods run without the quota of the queue that it names ("
                    + examples(keys)
                    + ").",
                "Once the core runs, write it anew, for example by kubectl annotate: the queue is"
                    + " carried into its template, which rolls it out, and its new pods are"
                    + " queued."));
      }
    }
  }

  private static String instead(String kind) {
    return UnmanagedKind.ALL.stream()
        .filter(each -> kind.equals(groupAndKind(each.type().apiVersion(), each.type().kind())))
        .map(UnmanagedKind::instead)
        .findFirst()
        .orElseThrow();
  }

  /** Whether it is a part of what has a Workload, such as the pod of a Job. */
  private static boolean belongsToOneOf(Set<String> kinds, StoredObject object) {
    return Metadata.owners(object).stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .anyMatch(owner -> kinds.contains(groupAndKind(owner)));
  }

  /** Reports features that flavors, Jobs and Workloads of other owners ask for in vain. */
  private void unsupported() {
    Set<String> jobs =
        facts.jobs().values().stream()
            .flatMap(List::stream)
            .map(Uids::of)
            .collect(Collectors.toSet());
    List<StoredObject> workloads =
        facts.objects(KueueTypes.WORKLOAD).stream()
            .filter(
                workload ->
                    Metadata.owners(workload).stream()
                        .noneMatch(owner -> jobs.contains(owner.getUid())))
            .toList();
    unsupported("ResourceFlavor", facts.objects(KueueTypes.RESOURCE_FLAVOR));
    new TreeMap<>(facts.jobs()).forEach(this::unsupported);
    unsupported("Workload", workloads);
  }

  private void unsupported(String kind, List<StoredObject> objects) {
    Map<Finding, List<ObjectKey>> found = new LinkedHashMap<>();
    for (StoredObject object : objects) {
      JsonObject tree = KueueJson.toTree(object).getAsJsonObject();
      if (!ended(tree)) {
        Stream.concat(
                askedInVain(kind, tree).stream()
                    // Told with the other fields that are out of scope.
                    .filter(asked -> !asked.field().endsWith(".topologyRequest"))
                    .filter(asked -> asked.feature() != Unsupported.Feature.PREEMPTION_GATE)
                    .map(asked -> finding(kind, asked, suspended(tree))),
                excluded(kind, object.key().namespace(), suspended(tree)).stream())
            .distinct()
            .forEach(
                finding ->
                    found.computeIfAbsent(finding, unseen -> new ArrayList<>()).add(object.key()));
      }
    }
    found.forEach(
        (finding, keys) ->
            findings.add(
                new Finding(
                    finding.severity(),
                    counted(keys.size(), kind) + " with " + finding.subject(),
                    finding.problem() + " (" + examples(keys) + ").",
                    finding.remedy())));
  }

  private List<Unsupported> askedInVain(String kind, JsonObject tree) {
    return facts.jobs().containsKey(kind)
        ? AskedInVain.by(tree, configuration.orElseGet(Configuration::defaults))
        : Unsupported.in(tree);
  }

  /**
   * The finding that a Job names a queue where none has an effect; empty while that isn't known.
   */
  private Optional<Finding> excluded(String kind, String namespace, boolean suspended) {
    Map<String, String> labels = facts.namespaces().get(namespace);
    return configuration
        .map(Configuration::managedNamespaces)
        .filter(managed -> facts.jobs().containsKey(kind))
        .filter(managed -> labels != null || !managed.needLabels())
        .filter(
            managed -> !managed.matches(namespace, Objects.requireNonNullElse(labels, Map.of())))
        .map(
            managed ->
                Finding.changes(
                    "a queue in the namespace " + namespace,
                    sentence(managed.unmanaged(namespace, suspended)),
                    ManagedNamespaces.REMEDY));
  }

  /** The finding about each such object; the subject is the field. */
  private static Finding finding(String kind, Unsupported asked, boolean suspended) {
    boolean harmless =
        switch (asked.feature()) {
          case TOPOLOGY_REQUEST,
              CONCURRENT_ADMISSION,
              PREEMPTION_GATE,
              ALLOWED_FLAVORS,
              PODS_READY_LIMITS,
              FORCED_DELETION,
              QUEUE_NAME,
              PREBUILT_NAME,
              EXECUTION_TIME,
              ADMISSION_GATES,
              MINIMUM_PARALLELISM,
              EQUAL_COMPLETIONS,
              GATES_OFF,
              FEWER_PODS_OFF,
              LABEL_ELSEWHERE,
              ANNOTATION_ELSEWHERE,
              OF_PREBUILT,
              UNKNOWN_KEY ->
              true;
          // It is taken off at the start, but the pods of a template in use have it.
          case SCHEDULING_GATE -> suspended || kind.equals("Workload");
          case MULTI_KUEUE_JOB, ELASTIC_JOB, TOPOLOGY_FLAVOR, DEVICE_CLAIM -> false;
        };
    return new Finding(
        harmless ? Finding.Severity.CHANGES : Finding.Severity.BLOCKS,
        asked.field().replaceAll("\\[\\d+]", "[]"),
        sentence(asked.feature().consequence()),
        sentence(asked.remedy()) + ".");
  }

  private static String sentence(String words) {
    return Character.toUpperCase(words.charAt(0)) + words.substring(1);
  }

  private static boolean suspended(JsonObject object) {
    return object.get("spec") instanceof JsonObject spec
        && spec.get("suspend") instanceof JsonPrimitive suspend
        && suspend.getAsBoolean();
  }

  private static boolean ended(JsonObject object) {
    return object.get("status") instanceof JsonObject status
        && status.get("conditions") instanceof JsonArray conditions
        && conditions.asList().stream()
            .map(JsonElement::getAsJsonObject)
            .anyMatch(
                condition ->
                    ENDED.contains(condition.get("type").getAsString())
                        && condition.get("status").getAsString().equals("True"));
  }

  private void unusableChecks() {
    List<ObjectKey> others = new ArrayList<>();
    for (StoredObject check : facts.objects(KueueTypes.ADMISSION_CHECK)) {
      String subject = "AdmissionCheck " + check.key();
      switch (controllerName(check)) {
        case MULTI_KUEUE ->
            findings.add(
                Finding.blocks(
                    subject,
                    "Its controller is MultiKueue, which doesn't exist here: it never answers.",
                    "Take it out of the ClusterQueues first."));
        case PROVISIONING ->
            findings.add(
                Finding.step(
                    subject,
                    "Its controller is a part of the other core and ends with it; its condition Active"
                        + " stays True, so Workloads would get quota and wait for it for ever.",
                    "Run the provisioning check (checks.provisioning.enabled of the chart"
                        + " admission-checks) before this core starts, or take the check out of the"
                        + " ClusterQueues."));
        default -> others.add(check.key());
      }
    }
    if (!others.isEmpty()) {
      findings.add(
          Finding.step(
              counted(others.size(), "AdmissionCheck") + " of other controllers",
              "Their processes stay as they are; that a condition Active is True doesn't show that"
                  + " one runs ("
                  + examples(others)
                  + ").",
              "See that each runs: a Workload keeps its quota while it waits for a check."));
    }
  }

  private static String controllerName(StoredObject check) {
    return check.spec().isJsonObject() && check.spec().getAsJsonObject().has("controllerName")
        ? check.spec().getAsJsonObject().get("controllerName").getAsString()
        : "";
  }

  private void otherKinds() {
    facts
        .others()
        .forEach(
            (plural, count) -> {
              if (count > 0) {
                findings.add(
                    Finding.changes(
                        counted(count, "object") + " of " + plural + "." + KueueTypes.GROUP,
                        "Nothing acts on the kind.",
                        "They stay stored as long as their definition does."));
              }
            });
  }

  private void fields(FieldUse.Meaning meaning, String consequence) {
    for (ResourceType<? extends ApiObject> type : KueueTypes.ALL) {
      FieldUses uses = FieldUses.of(type);
      Map<String, List<ObjectKey>> byPath = new LinkedHashMap<>();
      for (StoredObject object : facts.objects(type)) {
        for (FieldUse use : uses.in(object)) {
          if (use.meaning() == meaning) {
            byPath.computeIfAbsent(use.path(), unseen -> new ArrayList<>()).add(object.key());
          }
        }
      }
      byPath.forEach(
          (path, keys) ->
              findings.add(
                  Finding.changes(
                      counted(keys.size(), type.kind()) + " with " + path,
                      "The field is used by " + examples(keys) + ".",
                      "After the move " + consequence + ".")));
    }
  }

  private void delaysThatEnd() {
    workloads(
            workload ->
                workload.conditions().heldForChecks()
                    && isAhead(workload.status().requeueAt())
                    && retries(workload).isEmpty())
        .ifPresent(
            which ->
                findings.add(
                    Finding.changes(
                        which,
                        "They wait for the end of a delay whose check can't be told any more.",
                        "They are queued at once.")));
  }

  private void evicting() {
    workloads(workload -> workload.conditions().holdsQuota() && workload.conditions().evicted())
        .ifPresent(
            which ->
                findings.add(
                    Finding.changes(
                        which,
                        "They are evicted and their quota is still reserved.",
                        "Their Jobs are stopped and the quota is given back at once.")));
  }

  private void delaysLeft() {
    workloads(workload -> workload.status().requeueAt() != null)
        .ifPresent(
            which ->
                findings.add(
                    Finding.step(
                        which,
                        "status.requeueState.requeueAt is set, and another field manager may not"
                            + " remove it.",
                        "Clear it once this core is stopped; the migration guide has the command.")));
  }

  private void retries() {
    workloads(workload -> !retries(workload).isEmpty())
        .ifPresent(
            which ->
                findings.add(
                    Finding.changes(
                        which,
                        "A check asked for a retry.",
                        "Their delays are handled by the other implementation's rules; a quota may"
                            + " stay reserved meanwhile.")));
  }

  private boolean isAhead(@Nullable Instant instant) {
    return instant != null && instant.isAfter(facts.now());
  }

  private static List<String> retries(Workload workload) {
    return workload.status().admissionChecks().stream()
        .filter(entry -> entry.state().equals(CheckState.RETRY))
        .map(entry -> entry.name())
        .toList();
  }

  private Optional<String> workloads(Predicate<Workload> which) {
    List<ObjectKey> found =
        facts.workloads().stream()
            .filter(workload -> !workload.conditions().finished())
            .filter(which)
            .map(ObjectKey::of)
            .toList();
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(counted(found.size(), "Workload") + " (" + examples(found) + ")");
  }

  private static String counted(int count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }

  private static String examples(List<ObjectKey> keys) {
    String first =
        keys.stream().limit(EXAMPLES).map(ObjectKey::toString).collect(Collectors.joining(", "));
    return keys.size() > EXAMPLES ? first + ", ..." : first;
  }
}
