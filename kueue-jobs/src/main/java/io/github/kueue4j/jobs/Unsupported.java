// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.Metadata;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodResourceClaim;
import io.kubernetes.client.openapi.models.V1PodSchedulingGate;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * Something that an object asks for by the API and that this core doesn't carry out, or a value
 * that means nothing here or anywhere. Warnings, events, conditions, explanations and the check
 * before a move all start from here.
 *
 * @param field its path
 * @param value of the field
 * @param remedy what to do, as a part of a sentence
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Unsupported(Feature feature, String field, String value, String remedy) {
  /** What every text contains, by which explanations recognize a condition. */
  public static final String MARK = "is not supported here";

  private static final String INVALID = "is not valid";
  private static final String NO_EFFECT = "has no effect";

  /** The gates that other cores put into pod templates, and remove from the pods themselves. */
  static final Set<String> GATES = Set.of("kueue.x-k8s.io/topology", "kueue.x-k8s.io/elastic-job");

  private static final String MULTI_KUEUE = "kueue.x-k8s.io/multikueue";
  private static final String ELASTIC = "kueue.x-k8s.io/elastic-job";
  private static final String POD_SET = "kueue.x-k8s.io/podset-";
  private static final String WAIT_FOR_PODS_READY = "kueue.x-k8s.io/wait-for-pods-ready";
  private static final String ALLOWED_FLAVORS = "kueue.x-k8s.io/workload-allowed-resource-flavors";
  private static final String FORCED_DELETION = "kueue.x-k8s.io/safe-to-forcefully-delete";

  /** The features that aren't carried out. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public enum Feature {
    /** A Job whose controller is MultiKueue. */
    MULTI_KUEUE_JOB(
        "no controller runs it, so it is neither queued nor started",
        "create it anew without the field, which is immutable"),
    /** A Job whose parallelism may change while it runs. */
    ELASTIC_JOB(
        "another parallelism stops the running Job and queues it again",
        "change the parallelism only while it is suspended"),
    /** A ResourceFlavor with a Topology. */
    TOPOLOGY_FLAVOR(
        "ClusterQueues that offer the flavor admit nothing", "use a flavor without the field"),
    /** Pods that ask for a topology. */
    TOPOLOGY_REQUEST(
        "quota alone decides, and the pods run on any nodes of their flavor",
        "use node selectors or pod affinity"),
    /** A gate that another core would remove from the pods. */
    SCHEDULING_GATE(
        "it is taken off the template when the Job is started, but never off a pod",
        "remove it from the template"),
    /** Devices that pods get by a claim. */
    DEVICE_CLAIM(
        "its devices can't be counted: it isn't admitted, or with the gate"
            + " KueueDRARejectWorkloadsWhenDRADisabled off gets them without quota",
        "request the devices as a resource that the queue covers"),
    /** A ClusterQueue that would try a Workload on several flavors at the same time. */
    CONCURRENT_ADMISSION(
        "each Workload is admitted to one flavor at a time", "leave the field out"),
    /** A Workload that is to preempt no others until its gates open. */
    PREEMPTION_GATE("no gate keeps the Workload from preempting others", "leave the field out"),
    /** A Workload that is to get some flavors of its ClusterQueue only. */
    ALLOWED_FLAVORS(
        "every flavor of its ClusterQueue is tried",
        "use a node selector that only nodes of these flavors match"),
    /** A Job with limits of its own for its pods to get ready. */
    PODS_READY_LIMITS(
        "the limits of its ClusterQueue or of the configuration hold", "leave the annotation out"),
    /** Pods that may be deleted by force once their node is lost. */
    FORCED_DELETION(
        "no pod is deleted by force, and those of a lost node keep their quota as"
            + " kueue4j.quotaRelease says",
        "taint the node with node.kubernetes.io/out-of-service, or delete its pods"),

    /** A label's key among the annotations, or on the pods alone. */
    LABEL_ELSEWHERE("it isn't read from there", "write it as a label of the Job itself", INVALID),
    /** An annotation's key among the labels. */
    ANNOTATION_ELSEWHERE(
        "it isn't read from there", "write it as an annotation of the Job itself", INVALID),
    /** A label or annotation for the Workload, of a Job that names a prebuilt one. */
    OF_PREBUILT(
        "the prebuilt Workload has its own, and may be admitted without it",
        "write it as a label or annotation of the Workload, as it is here",
        "is not copied"),
    /** A label or annotation of the API's group that isn't one of its keys. */
    UNKNOWN_KEY("the core doesn't know the key, and ignores it", "look how it is spelled"),
    /** A name that no LocalQueue can have. */
    QUEUE_NAME(
        "the API server refuses its Workload, so that it isn't queued",
        "write the name of a LocalQueue",
        INVALID),
    /** A name that no prebuilt Workload can have. */
    PREBUILT_NAME(
        "no Workload can have this name, so that it stays suspended",
        "write the name of a Workload",
        INVALID),
    /** A maximum execution time that is no number of seconds. */
    EXECUTION_TIME(
        "it sets no limit", "write a whole number of seconds from 1 to 2147483647", INVALID),
    /** A list of admission gates with names that no controller can have, or twice the same. */
    ADMISSION_GATES(
        "its Workload waits until the annotation is gone",
        "write qualified names with commas between them, each once",
        INVALID),
    /** A minimum parallelism that is no number of pods, or not less than their number. */
    MINIMUM_PARALLELISM(
        "it gets quota for all of its pods or for none",
        "write a whole number greater than 0 and less than its pods, or leave it out",
        INVALID),
    /** Completions that are to equal a parallelism which they can't. */
    EQUAL_COMPLETIONS(
        "with fewer pods at once its completions stay as they are",
        "write \"true\" for an Indexed Job with as many completions as parallelism, or leave it out",
        INVALID),
    /** Admission gates while their feature gate is off. */
    GATES_OFF(
        "the feature gate AdmissionGatedBy is off, so that its Workload is queued at once",
        "leave it out, or have the gate switched on",
        NO_EFFECT),
    /** A minimum parallelism while its feature gate is off. */
    FEWER_PODS_OFF(
        "the feature gate PartialAdmission is off, so that it gets quota for all of its pods or for"
            + " none",
        "leave it out, or have the gate switched on",
        NO_EFFECT);

    private final String consequence;
    private final String remedy;
    private final String verdict;

    Feature(String consequence, String remedy) {
      this(consequence, remedy, MARK);
    }

    Feature(String consequence, String remedy, String verdict) {
      this.consequence = consequence;
      this.remedy = remedy;
      this.verdict = verdict;
    }

    /** Whether a value means nothing, here or elsewhere. */
    public boolean isInvalidValue() {
      return !verdict.equals(MARK);
    }

    /** What happens instead, as a part of a sentence. */
    public String consequence() {
      return consequence;
    }
  }

  /** Something with the remedy that all of its kind have. */
  public Unsupported(Feature feature, String field, String value) {
    this(feature, field, value, feature.remedy);
  }

  /** All that an object asks for: a Job of any kind, a Workload, a ResourceFlavor or a queue. */
  public static List<Unsupported> in(JsonObject object) {
    List<Unsupported> found = new ArrayList<>();
    JsonObject spec = member(object, "spec");
    managedBy("spec.managedBy", text(spec, "managedBy")).ifPresent(found::add);
    text(spec, "topologyName")
        .ifPresent(
            name -> found.add(new Unsupported(Feature.TOPOLOGY_FLAVOR, "spec.topologyName", name)));
    JsonObject annotations = member(member(object, "metadata"), "annotations");
    annotation(annotations, ELASTIC, Feature.ELASTIC_JOB)
        .filter(asked -> asked.value().equals("true"))
        .ifPresent(found::add);
    annotation(annotations, WAIT_FOR_PODS_READY, Feature.PODS_READY_LIMITS).ifPresent(found::add);
    annotation(annotations, ALLOWED_FLAVORS, Feature.ALLOWED_FLAVORS).ifPresent(found::add);
    if (spec.get("concurrentAdmissionPolicy") instanceof JsonObject policy) {
      found.add(
          new Unsupported(
              Feature.CONCURRENT_ADMISSION, "spec.concurrentAdmissionPolicy", policy.toString()));
    }
    if (spec.get("preemptionGates") instanceof JsonArray gates && !gates.isEmpty()) {
      found.add(new Unsupported(Feature.PREEMPTION_GATE, "spec.preemptionGates", gates.toString()));
    }
    if (spec.has("containers")) {
      found.addAll(in("", KueueJson.fromTree(object, V1PodTemplateSpec.class)));
    }
    inTemplates("spec", spec, found);
    return found;
  }

  /**
   * The features in vain of a Job that names this controller.
   *
   * @param field in which it does
   */
  public static Optional<Unsupported> managedBy(String field, Optional<String> controller) {
    return controller
        .filter(MULTI_KUEUE::equals)
        .map(name -> new Unsupported(Feature.MULTI_KUEUE_JOB, field, name));
  }

  /**
   * The features that pods of a template ask for.
   *
   * @param path of the template; empty for a pod itself
   */
  public static List<Unsupported> in(String path, V1PodTemplateSpec template) {
    List<Unsupported> found = new ArrayList<>();
    String prefix = path.isEmpty() ? "" : path + ".";
    V1ObjectMeta metadata =
        Objects.requireNonNullElseGet(template.getMetadata(), V1ObjectMeta::new);
    new TreeMap<>(Metadata.annotations(metadata))
        .forEach(
            (key, value) -> {
              if (key.startsWith(POD_SET) && key.contains("topology") && !value.equals("false")) {
                found.add(
                    new Unsupported(
                        Feature.TOPOLOGY_REQUEST,
                        prefix + "metadata.annotations[" + key + "]",
                        value));
              }
              if (key.equals(FORCED_DELETION) && value.equals("true")) {
                found.add(
                    new Unsupported(
                        Feature.FORCED_DELETION,
                        prefix + "metadata.annotations[" + key + "]",
                        value));
              }
            });
    V1PodSpec pod = Objects.requireNonNullElseGet(template.getSpec(), V1PodSpec::new);
    for (V1PodSchedulingGate gate :
        Objects.requireNonNullElse(pod.getSchedulingGates(), List.<V1PodSchedulingGate>of())) {
      if (GATES.contains(gate.getName())) {
        found.add(
            new Unsupported(
                Feature.SCHEDULING_GATE, prefix + "spec.schedulingGates", gate.getName()));
      }
    }
    for (V1PodResourceClaim claim :
        Objects.requireNonNullElse(pod.getResourceClaims(), List.<V1PodResourceClaim>of())) {
      found.add(
          new Unsupported(Feature.DEVICE_CLAIM, prefix + "spec.resourceClaims", claim.getName()));
    }
    return found;
  }

  /** Finds pod templates at any depth, so that each kind of Job has its own. */
  private static void inTemplates(String path, JsonElement element, List<Unsupported> found) {
    if (element instanceof JsonArray items) {
      for (int i = 0; i < items.size(); i++) {
        inTemplates(path + "[" + i + "]", items.get(i), found);
      }
    } else if (element instanceof JsonObject object) {
      if (object.has("containers")) {
        return; // A pod, whose template was looked at.
      }
      if (object.get("topologyRequest") instanceof JsonObject request) {
        found.add(
            new Unsupported(
                Feature.TOPOLOGY_REQUEST, path + ".topologyRequest", request.toString()));
      }
      if (member(object, "spec").has("containers")) {
        found.addAll(in(path, KueueJson.fromTree(object, V1PodTemplateSpec.class)));
      }
      for (Map.Entry<String, JsonElement> field : object.entrySet()) {
        inTemplates(path + "." + field.getKey(), field.getValue(), found);
      }
    }
  }

  /** What is asked for and what happens instead, as a sentence without its period. */
  public String warning() {
    return said() + ": " + feature.consequence + "; " + remedy;
  }

  /**
   * The statement that it keeps a Workload from being admitted, as a sentence without its period.
   */
  public String refusal() {
    return said() + ": no Workload with it is admitted; " + remedy;
  }

  /**
   * The features that an object asks for in vain, each once, as sentences.
   *
   * @param refused what keeps a Workload from being admitted
   */
  public static String text(List<Unsupported> asked, Set<Feature> refused) {
    return asked.stream()
        .collect(Collectors.toMap(Unsupported::feature, each -> each, (a, b) -> a, TreeMap::new))
        .values()
        .stream()
        .map(each -> each.text(refused))
        .collect(Collectors.joining(". "));
  }

  /** As {@link #refusal} if it is refused, else as {@link #warning}. */
  public String text(Set<Feature> refused) {
    return refused.contains(feature) ? refusal() : warning();
  }

  private String said() {
    return field + " \"" + value + "\" " + feature.verdict;
  }

  private static Optional<Unsupported> annotation(
      JsonObject annotations, String key, Feature feature) {
    return text(annotations, key)
        .map(value -> new Unsupported(feature, "metadata.annotations[" + key + "]", value));
  }

  private static JsonObject member(JsonObject parent, String name) {
    return parent.get(name) instanceof JsonObject object ? object : new JsonObject();
  }

  private static Optional<String> text(JsonObject parent, String name) {
    return parent.get(name) instanceof JsonPrimitive text
        ? Optional.of(text.getAsString())
        : Optional.empty();
  }
}
