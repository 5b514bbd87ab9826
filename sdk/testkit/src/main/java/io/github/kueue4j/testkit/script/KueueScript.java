// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.script;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.time.GoDuration;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.client.PatchFormat;
import io.github.kueue4j.testkit.client.RefusedRequestException;
import io.github.kueue4j.testkit.tree.Trees;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Plays Kueue's part on an API server on which no Kueue runs: makes Workloads and brings them
 * through their lives one step at a time, so that a check controller can be watched in each.
 *
 * <pre>{@code
 * script.admissionCheck("license", "example.com/license");
 * PlayedWorkload job = script.workload("job").reserve().awaitState("license", CheckState.RETRY);
 * job.backOff().requeue().reserve().awaitState("license", CheckState.READY).admit().finish();
 * }</pre>
 *
 * The steps write what <a href="https://github.com/kubernetes-sigs/kueue">Kueue</a>'s API asks of a
 * queue controller; each waits for what it needs, and fails with the object as it is if that
 * doesn't come in time. With {@link ManualTime} a step that waits for a date lets time pass.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class KueueScript implements AutoCloseable {

  private final JsonApi api;
  private final boolean ownsApi;
  private final TimeSource time;
  private final String namespace;
  private final String version;
  private final Duration patience;
  private final History history;
  private final String flavor;
  private final List<String> made = new ArrayList<>();
  private final Set<String> written = ConcurrentHashMap.newKeySet();

  private KueueScript(Builder builder) {
    this.api = builder.api;
    this.ownsApi = builder.ownsApi;
    this.time = builder.time;
    this.namespace = builder.namespace;
    this.version = builder.version;
    this.patience = builder.patience;
    this.flavor = builder.flavor;
    ResourceType<?> workloads = served(KueueTypes.WORKLOAD);
    this.history = History.of(api, ownsApi ? workloads.path() : workloads.path(namespace));
  }

  /**
   * A script on an embedded server that serves the CRDs of Kueue, in the namespace {@code default}.
   *
   * @param time what Kueue's clock says; a {@link ManualTime} is advanced by steps that wait
   */
  public static KueueScript on(EmbeddedApiServer server, TimeSource time) {
    return on(server, time, Builder.PATIENCE);
  }

  /** The same with another {@linkplain Builder#patience patience}. */
  public static KueueScript on(EmbeddedApiServer server, TimeSource time, Duration patience) {
    Builder builder = builder(JsonApi.at(server.uri()), time).patience(patience);
    builder.ownsApi = true;
    return builder.start();
  }

  /** A script on any API server; the connection stays open when the script ends. */
  public static Builder builder(JsonApi api, TimeSource time) {
    return new Builder(api, time);
  }

  /** How a script is set up. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public static final class Builder {
    /** How long a step waits unless a test says otherwise. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final JsonApi api;
    private final TimeSource time;
    private boolean ownsApi;
    private String namespace = "default";
    private String version = KueueTypes.VERSION;
    private String flavor = "script";
    private Duration patience = PATIENCE;

    private Builder(JsonApi api, TimeSource time) {
      this.api = api;
      this.time = time;
    }

    /** Where the Workloads live; it must exist. Default {@code default}. */
    public Builder namespace(String name) {
      namespace = name;
      return this;
    }

    /** The version of {@code kueue.x-k8s.io} to speak; default v1beta2. */
    public Builder version(String servedVersion) {
      version = servedVersion;
      return this;
    }

    /** The ResourceFlavor that reservations assign; made if there is none. Default script. */
    public Builder flavor(String name) {
      flavor = name;
      return this;
    }

    /**
     * How long, in real time, a step waits for what it needs; positive, default 60 s. For the word
     * of a check that is Active=False it waits a tenth of it, two seconds at least.
     */
    public Builder patience(Duration limit) {
      if (!limit.isPositive()) {
        throw new IllegalArgumentException("the patience must be positive: " + limit);
      }
      patience = limit;
      return this;
    }

    /**
     * Begins.
     *
     * @throws io.github.kueue4j.testkit.client.UnreachableServerException if no server answers
     */
    public KueueScript start() {
      return new KueueScript(this);
    }
  }

  /** Creates an AdmissionCheck; Workloads that are reserved from now on ask it by default. */
  public KueueScript admissionCheck(String name, String controllerName) {
    return admissionCheck(check(name, controllerName));
  }

  /**
   * The same with parameters.
   *
   * @param apiGroup the group of the object that the check refers to
   * @param kind its kind
   * @param parametersName its name; it may be created later
   */
  public KueueScript admissionCheck(
      String name, String controllerName, String apiGroup, String kind, String parametersName) {
    ObjectNode check = check(name, controllerName);
    check
        .withObject("spec")
        .putObject("parameters")
        .put("apiGroup", apiGroup)
        .put("kind", kind)
        .put("name", parametersName);
    return admissionCheck(check);
  }

  private ObjectNode check(String name, String controllerName) {
    ObjectNode check = object(KueueTypes.ADMISSION_CHECK, name);
    check.putObject("spec").put("controllerName", controllerName);
    return check;
  }

  /** The same with the object as it is, for parameters and whatever else. */
  public KueueScript admissionCheck(JsonNode object) {
    api.create(served(KueueTypes.ADMISSION_CHECK).path(), object);
    made.add(Trees.text(object.path("metadata"), "name"));
    return this;
  }

  /**
   * Waits until the controller says that this AdmissionCheck is Active.
   *
   * @throws StepFailedException if it says nothing in time, or Active=False for a tenth of the
   *     patience (two seconds at least) without a change
   */
  public KueueScript awaitActive(String check) {
    awaitWord(
        "the AdmissionCheck " + check + " to be Active",
        () -> readCheck(check).map(Object::toString).orElse("there is none"),
        () -> readCheck(check).filter(object -> StatusDraft.of(object).isTrue("Active")),
        () -> List.of(check));
    return this;
  }

  private Optional<ObjectNode> readCheck(String check) {
    return api.get(served(KueueTypes.ADMISSION_CHECK).path(ObjectKey.cluster(check)));
  }

  /** A new Workload of one pod that asks for one cpu; its quota isn't reserved yet. */
  public PlayedWorkload workload(String name) {
    return workload(name, Map.of());
  }

  /** {@link #workload(String)} with these labels of the Workload itself, not of its pods. */
  public PlayedWorkload workload(String name, Map<String, String> labels) {
    return workload(name, shape -> labels.forEach(shape::label));
  }

  /**
   * A new Workload of another shape than one pod that asks for one cpu.
   *
   * @param shape says what is different; another namespace than the script's only on a server that
   *     the script was started {@linkplain #on on}
   */
  public PlayedWorkload workload(String name, Consumer<WorkloadShape> shape) {
    WorkloadShape drawn = new WorkloadShape(namespace);
    shape.accept(drawn);
    if (!drawn.namespace().equals(namespace)) {
      ensureNamespace(drawn.namespace());
    }
    return create(drawn.object(name), drawn.namespace());
  }

  private void ensureNamespace(String name) {
    if (!ownsApi) {
      throw new StepFailedException(
          "a Workload in the namespace " + name + ": this script watches " + namespace + " only");
    }
    String namespaces = "/api/v1/namespaces";
    if (api.get(namespaces + "/" + name).isEmpty()) {
      ObjectNode object = Trees.empty();
      object.putObject("metadata").put("name", name);
      api.create(namespaces, object);
    }
  }

  /**
   * A new Workload as given.
   *
   * @param object of kind Workload, without a status; namespace and version are put in
   */
  public PlayedWorkload workload(ObjectNode object) {
    return create(object.deepCopy(), namespace);
  }

  private PlayedWorkload create(ObjectNode workload, String where) {
    flavor();
    workload.put("apiVersion", served(KueueTypes.WORKLOAD).apiVersion()).put("kind", "Workload");
    workload.withObject("metadata").put("namespace", where);
    ObjectNode created = api.create(served(KueueTypes.WORKLOAD).path(where), workload);
    written.add(Trees.text(Trees.metadata(created), "resourceVersion"));
    return new PlayedWorkload(this, new ObjectKey(where, Trees.name(created)));
  }

  /** A Workload that is there already. */
  public PlayedWorkload existing(String name) {
    return new PlayedWorkload(this, new ObjectKey(namespace, name));
  }

  /** The flavor that reservations assign. */
  String flavor() {
    ResourceType<?> type = served(KueueTypes.RESOURCE_FLAVOR);
    if (api.get(type.path(ObjectKey.cluster(flavor))).isEmpty()) {
      try {
        api.create(type.path(), object(KueueTypes.RESOURCE_FLAVOR, flavor));
      } catch (RefusedRequestException e) {
        if (!e.isConflict()) {
          throw e;
        }
      }
    }
    return flavor;
  }

  private ObjectNode object(ResourceType<?> type, String name) {
    ObjectNode object = Trees.empty();
    object.put("apiVersion", served(type).apiVersion()).put("kind", type.kind());
    object.putObject("metadata").put("name", name);
    return object;
  }

  private <T extends io.kubernetes.client.common.KubernetesObject> ResourceType<T> served(
      ResourceType<T> type) {
    return type.inVersion(version);
  }

  /**
   * The checks that a reservation asks if it doesn't name any: all AdmissionChecks on the server,
   * those that the script has made first.
   */
  List<String> checks() {
    List<String> present = new ArrayList<>();
    api.get(served(KueueTypes.ADMISSION_CHECK).path())
        .ifPresent(
            list ->
                list.path("items")
                    .forEach(item -> present.add(Trees.text(item.path("metadata"), "name"))));
    Set<String> asked = new LinkedHashSet<>(made);
    asked.retainAll(present);
    asked.addAll(present);
    return List.copyOf(asked);
  }

  /** Every version of every Workload that the script sees, since the script began. */
  public History history() {
    return history;
  }

  /** The clock that Kueue's dates come from. */
  public TimeSource time() {
    return time;
  }

  Instant now() {
    return time.instant();
  }

  String path(ObjectKey key) {
    return served(KueueTypes.WORKLOAD).path(key);
  }

  Optional<ObjectNode> read(ObjectKey key) {
    return api.get(path(key));
  }

  /** Patches, and remembers the version that this made, if it made one. */
  void patch(ObjectKey key, String subresource, ObjectNode mergePatch, String readVersion) {
    ObjectNode after = api.patch(path(key) + subresource, PatchFormat.MERGE, mergePatch);
    String version = Trees.text(Trees.metadata(after), "resourceVersion");
    if (!version.equals(readVersion)) {
      written.add(version);
    }
  }

  /** Whether the script itself made this version of a Workload. */
  public boolean wrote(ObjectNode version) {
    return written.contains(Trees.text(Trees.metadata(version), "resourceVersion"));
  }

  void delete(ObjectKey key) {
    api.delete(path(key));
  }

  /**
   * Waits for an answer, in real time.
   *
   * @throws StepFailedException if there is none in time
   */
  <T> T await(String what, Supplier<String> asItIs, Supplier<Optional<T>> question) {
    return history
        .await(patience, question)
        .orElseThrow(
            () ->
                new StepFailedException(
                    "waited %s in vain for %s; it is %s"
                        .formatted(GoDuration.format(patience), what, asItIs.get())));
  }

  /**
   * Waits for the word of checks, in real time.
   *
   * @param checks whose word it is
   * @throws StepFailedException if it doesn't come in time, or a check's controller says
   *     Active=False
   */
  <T> T awaitWord(
      String what,
      Supplier<String> asItIs,
      Supplier<Optional<T>> question,
      Supplier<? extends Collection<String>> checks) {
    InactiveChecks inactive = new InactiveChecks(this::readCheck, patience);
    return await(
        what,
        asItIs,
        () -> {
          Optional<T> answer = question.get();
          if (answer.isEmpty()) {
            inactive
                .complaint(checks.get())
                .ifPresent(
                    complaint -> {
                      throw new StepFailedException("can't wait for " + what + ": " + complaint);
                    });
          }
          return answer;
        });
  }

  /** Waits until this instant has come, or lets virtual time pass until then. */
  void awaitTime(@Nullable Instant when) {
    if (when == null || !when.isAfter(now())) {
      return;
    }
    if (time instanceof ManualTime manual) {
      manual.advanceTo(when);
      return;
    }
    CountDownLatch come = new CountDownLatch(1);
    time.at(when, come::countDown);
    try {
      if (!come.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new StepFailedException(
            when
                + " has not come within "
                + GoDuration.format(patience)
                + " of real time; use ManualTime");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for " + when, e);
    }
  }

  /** Ends the script; what it made stays. */
  @Override
  public void close() {
    history.close();
    if (ownsApi) {
      api.close();
    }
  }
}
