// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.Keys;
import io.github.kueue4j.jobs.PodPhases;
import io.github.kueue4j.jobs.ServingKind;
import io.github.kueue4j.jobs.UnmanagedKind;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Reads the input of {@link Explain}, with about a dozen requests, including lists of Workloads.
 * The Workload and its Job have to be readable; of the rest, what the server refuses is left out,
 * and named in {@link ExplainInput#unreadable}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ExplainInputReader {
  private static final int NEAR_NAMES = 5;

  /** How deep Jobs may be nested, see {@code JobNestingTooDeep}. */
  private static final int MOST_LEVELS = 10;

  /** How a pod is called in front of its name. */
  private static final List<String> POD = List.of("pod", "pods", "po");

  private final KubernetesApi api;
  private final String leaseName;
  private final Optional<Configuration> configuration;
  private final List<JobReader<?>> jobs;

  /**
   * A reader for a core with the default lease. The core's configuration is read from a ConfigMap
   * in the lease's namespace.
   */
  public ExplainInputReader(KubernetesApi api) {
    this(api, Configuration.defaults().leaderElection().resourceName(), Optional.empty());
  }

  /** A reader for a core with this configuration. */
  public ExplainInputReader(KubernetesApi api, Configuration configuration) {
    this(api, configuration.leaderElection().resourceName(), Optional.of(configuration));
  }

  private ExplainInputReader(
      KubernetesApi api, String leaseName, Optional<Configuration> configuration) {
    this.api = api;
    this.leaseName = leaseName;
    this.configuration = configuration;
    this.jobs =
        configuration.orElseGet(Configuration::defaults).integrations().kinds().all().stream()
            .<JobReader<?>>map(kind -> new JobReader<>(api, kind))
            .toList();
  }

  /**
   * Reads a Workload or a Job of any supported kind, with the objects that it depends on. For a Job
   * that belongs to another one that is queued, the other one is read; for a pod or an object that
   * the core doesn't manage, what it belongs to.
   *
   * @param name the name of a Workload, or else of a Job; {@code workload/NAME}, {@code job/NAME}
   *     or {@code jobset/NAME} where there are several; {@code pod/NAME} for a pod, {@code
   *     rayjob/NAME} and the like for an object of an {@link UnmanagedKind}
   * @throws UnknownNameException if there is none; its message suggests similar names
   * @throws KubernetesApiException if the server refuses to show the Workload or Job, or doesn't
   *     answer
   */
  public ExplainInput read(String namespace, String name) {
    // The kinds that the installed configuration declares are looked for, too.
    return configuration.isPresent()
        ? find(namespace, name)
        : new ExplainInputReader(
                api,
                leaseName,
                InstalledConfiguration.read(api, Configuration.defaults()).configuration())
            .find(namespace, name);
  }

  private ExplainInput find(String namespace, String name) {
    int slash = name.indexOf('/');
    String plain = name.substring(slash + 1);
    boolean anyKind = slash < 0;
    String kind = anyKind ? "" : name.substring(0, slash);
    if (POD.contains(kind)) {
      return ofPod(new ObjectKey(namespace, plain));
    }
    Optional<? extends ResourceType<? extends KubernetesObject>> other =
        withoutWorkload().filter(type -> isCalled(type, kind)).findFirst();
    if (other.isPresent() && !plain.isEmpty() && !plain.contains("/")) {
      return served(other.get(), new ObjectKey(namespace, plain))
          .map(object -> ofUnmanaged(other.get(), object, false))
          .orElseThrow(() -> new UnknownNameException(namespace, name, List.of()));
    }
    boolean workload = anyKind || List.of("workload", "workloads", "wl").contains(kind);
    List<JobReader<?>> kinds =
        jobs.stream().filter(known -> anyKind || known.isCalled(kind)).toList();
    if (plain.isEmpty() || plain.contains("/") || (kinds.isEmpty() && !workload)) {
      throw new UnknownNameException(
          namespace,
          name,
          Stream.of(
                  Stream.of("workload/NAME"),
                  jobs.stream().map(known -> known.called("NAME")),
                  Stream.of("pod/NAME"))
              .flatMap(Function.identity())
              .distinct()
              .toList());
    }
    ObjectKey key = new ObjectKey(namespace, plain);
    if (workload) {
      Optional<Workload> found = api.get(KueueTypes.WORKLOAD, key);
      if (found.isPresent()) {
        return around(found.get(), jobOf(found.get()).orElse(null));
      }
    }
    return kinds.stream()
        .flatMap(known -> known.findManageable(key, anyKind).stream())
        .findFirst()
        .map(this::topmost)
        .map(foundJob -> around(workloadOf(foundJob).orElse(null), foundJob))
        .orElseThrow(
            () ->
                new UnknownNameException(namespace, name, near(namespace, plain, workload, kinds)));
  }

  /** The input for the owners of a pod, or else for the Workload that the pod names or owns. */
  private ExplainInput ofPod(ObjectKey key) {
    V1Pod pod =
        api.get(CoreTypes.POD, key)
            .orElseThrow(
                () -> UnknownNameException.pod(key, nearPods(key.namespace(), key.name())));
    Optional<FoundJob<?>> job =
        Stream.concat(
                jobs.stream()
                    .filter(known -> known.isCalled(POD.getFirst()))
                    .flatMap(known -> known.findManageable(key, true).stream()),
                controller(pod).stream().flatMap(owner -> owned(key.namespace(), owner)))
            .findFirst();
    if (job.isPresent()) {
      FoundJob<?> top = topmost(job.get());
      return around(workloadOf(top).orElse(null), top);
    }
    return namedBy(pod)
        .map(workload -> around(workload, jobOf(workload).orElse(null)))
        .orElseGet(() -> ofUnmanaged(CoreTypes.POD, pod, PodPhases.ended(pod)));
  }

  /**
   * The Workload of an object that isn't managed, or of its controllers as far as they are known.
   * Without one, the first of them that names a queue, or else the object itself.
   *
   * @param ended whether it runs no more, as far as that is known
   */
  private ExplainInput ofUnmanaged(ResourceType<?> type, KubernetesObject object, boolean ended) {
    ObservedJob subject = ObservedJob.unmanaged(type, object, ended);
    Optional<Foreign> above = Optional.of(new Foreign(type, object));
    for (int level = 0; level < MOST_LEVELS && above.isPresent(); level++) {
      Foreign here = above.get();
      ObservedJob seen = ObservedJob.unmanaged(here.type(), here.object(), ended);
      Optional<Workload> workload = ownedBy(seen.key().namespace(), seen.uid());
      if (workload.isPresent()) {
        return around(workload.get(), jobOf(workload.get()).orElse(null));
      }
      if (subject.queueName() == null && seen.queueName() != null) {
        subject = seen;
      }
      above = controller(here.object()).flatMap(owner -> foreign(seen.key().namespace(), owner));
    }
    return unmanaged(subject);
  }

  /** The kinds that are known, and whose objects have no Workload. */
  private static Stream<ResourceType<? extends KubernetesObject>> withoutWorkload() {
    return Stream.concat(
        UnmanagedKind.ALL.stream().map(UnmanagedKind::type),
        ServingKind.ALL.stream().map(ServingKind::type));
  }

  /** An object that isn't managed, with its kind. */
  private record Foreign(ResourceType<?> type, KubernetesObject object) {}

  private Optional<Foreign> foreign(String namespace, V1OwnerReference owner) {
    return withoutWorkload()
        .filter(type -> type.kind().equals(owner.getKind()))
        .filter(type -> type.apiVersion().equals(owner.getApiVersion()))
        .findFirst()
        .flatMap(
            type ->
                served(type, new ObjectKey(namespace, owner.getName()))
                    .filter(object -> Uids.of(object).equals(owner.getUid()))
                    .map(object -> new Foreign(type, object)));
  }

  private <T extends KubernetesObject> Optional<T> served(ResourceType<T> type, ObjectKey key) {
    return api.serves(type) ? api.get(type, key) : Optional.empty();
  }

  private Optional<Workload> namedBy(V1Pod pod) {
    return Optional.ofNullable(pod.getMetadata())
        .map(V1ObjectMeta::getAnnotations)
        .map(annotations -> annotations.get(Keys.WORKLOAD))
        .flatMap(
            name ->
                api.get(KueueTypes.WORKLOAD, new ObjectKey(ObjectKey.of(pod).namespace(), name)));
  }

  private Optional<Workload> ownedBy(String namespace, String uid) {
    return api.list(KueueTypes.WORKLOAD, ListOptions.inNamespace(namespace)).items().stream()
        .filter(workload -> owners(workload).stream().anyMatch(owner -> uid.equals(owner.getUid())))
        .findFirst();
  }

  private List<String> nearPods(String namespace, String asked) {
    return SimilarNames.of(
        asked,
        new PermittedReads(api)
            .list(CoreTypes.POD, ListOptions.inNamespace(namespace)).stream()
                .map(pod -> "pod/" + ObjectKey.of(pod).name())
                .toList(),
        NEAR_NAMES);
  }

  /**
   * A Job that was found, with its kind.
   *
   * @param mayReadPods whether the object that has its pods may be read, if another one has them
   */
  private record FoundJob<T extends KubernetesObject>(
      JobReader<T> reader, T job, boolean mayReadPods) {
    ObservedJob seen() {
      return seen(null);
    }

    /** Its state, see {@link ObservedJob#partOf}. */
    ObservedJob seen(@Nullable String partOf) {
      return ObservedJob.of(
          reader.kind(), job, partOf, mayReadPods ? null : reader.kind().podsIn().orElse(null));
    }

    List<V1Pod> pods(PermittedReads reads) {
      return reads.list(
          CoreTypes.POD,
          ListOptions.inNamespace(ObjectKey.of(job).namespace())
              .withLabelSelector(reader.kind().podSelector(job)));
    }
  }

  /** Jobs of one kind. */
  private record JobReader<T extends KubernetesObject>(KubernetesApi api, JobKind<T> kind) {
    private String singular() {
      return kind.type().kind().toLowerCase(Locale.ROOT);
    }

    boolean isCalled(String word) {
      return ExplainInputReader.isCalled(kind.type(), word);
    }

    boolean isManaged(Optional<Configuration> configuration) {
      return configuration
          .map(known -> known.integrations().frameworks().contains(kind.framework()))
          .orElse(true);
    }

    boolean hasPodsIn(ResourceType<?> type) {
      return kind.podsIn().filter(type::equals).isPresent();
    }

    String called(String name) {
      return singular() + "/" + name;
    }

    /**
     * The Job of this name.
     *
     * @param lenient whether a refused request counts as not found
     */
    Optional<FoundJob<T>> find(ObjectKey key, boolean lenient) {
      PermittedReads reads = new PermittedReads(api);
      try {
        return api.get(kind.type(), key)
            .map(job -> kind.completed(job, type -> read(reads, type, key)))
            .map(job -> new FoundJob<>(this, job, reads.refused().isEmpty()));
      } catch (KubernetesApiException.NotFound e) {
        return Optional.empty(); // the cluster doesn't serve this kind
      } catch (KubernetesApiException.Forbidden e) {
        if (lenient && !kind.type().equals(CoreTypes.JOB)) {
          return Optional.empty();
        }
        throw e;
      }
    }

    private static <P extends KubernetesObject> Optional<P> read(
        PermittedReads reads, ResourceType<P> type, ObjectKey key) {
      try {
        return reads.get(type, key);
      } catch (KubernetesApiException.NotFound e) {
        return Optional.empty(); // as for a Job that doesn't have it yet
      }
    }

    /** The same, if the core may manage it. */
    Optional<FoundJob<T>> findManageable(ObjectKey key, boolean lenient) {
      return find(key, lenient).filter(found -> kind.manageable(found.job()));
    }

    Optional<FoundJob<T>> find(String namespace, V1OwnerReference owner) {
      return kind.type().isNamed(owner.getApiVersion(), owner.getKind())
          ? find(new ObjectKey(namespace, owner.getName()), true)
              .filter(foundJob -> Uids.of(foundJob.job()).equals(owner.getUid()))
          : Optional.empty();
    }

    Stream<String> names(PermittedReads reads, ListOptions where) {
      return api.serves(kind.type())
          ? reads
              .list(kind.type(), kind.selector().map(where::withLabelSelector).orElse(where))
              .stream()
              .map(job -> called(ObjectKey.of(job).name()))
          : Stream.empty();
    }
  }

  private Optional<FoundJob<?>> jobOf(Workload workload) {
    return owners(workload).stream()
        .flatMap(owner -> owned(ObjectKey.of(workload).namespace(), owner))
        .findFirst();
  }

  private Stream<FoundJob<?>> owned(String namespace, V1OwnerReference owner) {
    return jobs.stream().flatMap(known -> known.find(namespace, owner).stream());
  }

  /** The Job itself, or its owner if the Job names no queue or has the pods of a queued owner. */
  private FoundJob<?> topmost(FoundJob<?> job) {
    FoundJob<?> top = job;
    for (int level = 0; level < MOST_LEVELS; level++) {
      FoundJob<?> here = top;
      Optional<FoundJob<?>> above =
          here.seen().queueName() == null
              ? owner(here, known -> true)
              : ownerByPods(here).filter(this::isQueued);
      if (above.isEmpty()) {
        return top;
      }
      top = above.get();
    }
    return top;
  }

  private Optional<FoundJob<?>> owner(FoundJob<?> job, Predicate<JobReader<?>> kinds) {
    String namespace = ObjectKey.of(job.job()).namespace();
    return controller(job.job()).stream()
        .flatMap(
            owner ->
                jobs.stream()
                    .filter(kinds)
                    .<FoundJob<?>>flatMap(known -> known.find(namespace, owner).stream()))
        .findFirst();
  }

  /** The owner of a Job if its kind has its pods in such objects. */
  private Optional<FoundJob<?>> ownerByPods(FoundJob<?> job) {
    return owner(
        job,
        known -> known.isManaged(configuration) && known.hasPodsIn(job.reader().kind().type()));
  }

  private boolean isQueued(FoundJob<?> job) {
    return job.seen().queueName() != null || workloadOf(job).isPresent();
  }

  /**
   * The Workload of a Job: by name, or, if another implementation created it, by its owner
   * reference.
   */
  private Optional<Workload> workloadOf(FoundJob<?> job) {
    ObservedJob seen = job.seen();
    Optional<Workload> named = api.get(KueueTypes.WORKLOAD, seen.workload());
    return named.isPresent() || seen.prebuilt()
        ? named
        : ownedBy(seen.key().namespace(), seen.uid());
  }

  private static boolean isCalled(ResourceType<?> type, String word) {
    return Stream.of(type.kind().toLowerCase(Locale.ROOT), type.plural())
        .anyMatch(name -> word.equals(name) || word.equals(name + "." + type.group()));
  }

  private ExplainInput around(@Nullable Workload workload, @Nullable FoundJob<?> job) {
    PermittedReads reads = new PermittedReads(api);
    return new Surroundings(reads, leaseName, configuration)
        .of(
            workload,
            job == null ? null : job.seen(partOf(job)),
            job == null ? List.of() : job.pods(reads));
  }

  private @Nullable String partOf(FoundJob<?> job) {
    return ownerByPods(job)
        .map(owner -> owner.reader().kind().type().kind() + ' ' + ObjectKey.of(owner.job()).name())
        .orElse(null);
  }

  private ExplainInput unmanaged(ObservedJob object) {
    return new Surroundings(new PermittedReads(api), leaseName, configuration)
        .of(null, object, List.of());
  }

  private List<String> near(
      String namespace, String asked, boolean workloads, List<JobReader<?>> kinds) {
    ListOptions here = ListOptions.inNamespace(namespace);
    PermittedReads reads = new PermittedReads(api);
    Stream<String> known =
        Stream.concat(
            workloads
                ? reads.list(KueueTypes.WORKLOAD, here).stream()
                    .map(workload -> ObjectKey.of(workload).name())
                : Stream.empty(),
            kinds.stream().flatMap(kind -> kind.names(reads, here)));
    return SimilarNames.of(asked, known.toList(), NEAR_NAMES);
  }

  /** The controller owner reference of an object. */
  static Optional<V1OwnerReference> controller(KubernetesObject object) {
    return owners(object).stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .findFirst();
  }

  private static List<V1OwnerReference> owners(KubernetesObject object) {
    return Optional.ofNullable(object.getMetadata())
        .map(V1ObjectMeta::getOwnerReferences)
        .orElse(List.of());
  }
}
