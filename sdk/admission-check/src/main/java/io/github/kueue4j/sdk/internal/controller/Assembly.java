// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.runtime.client.EventRecorder;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.controller.Controller;
import io.github.kueue4j.runtime.controller.ControllerHost;
import io.github.kueue4j.runtime.http.HttpAddress;
import io.github.kueue4j.runtime.informer.Change;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.DelayEndingCheck;
import io.github.kueue4j.sdk.Parameters;
import io.kubernetes.client.common.KubernetesObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Puts a controller together from what its builder was told.
 *
 * @param <P> the check's parameters
 */
final class Assembly<P> {

  private final ControllerDescription told;
  private final Check<P> author;
  private final Optional<Parameters.Source<?, P>> source;
  private final FatalErrors fatalErrors;
  private final KubernetesApi api;
  private final TimeSource time;
  private final LateQueue workloadQueue = new LateQueue();
  private final LateQueue checkQueue = new LateQueue();
  private final LateQueue statusQueue = new LateQueue();
  private final EvaluationMemory memory = new EvaluationMemory();
  private final WakeUps wakeUps;
  private final DroppedDelays droppedDelays;
  private final EventRecorder events;
  private final CheckMetrics metrics;
  private final GuardSet guards;
  private final BackendCondition backendCondition;
  private final CheckConditions conditions;
  private final Informer<AdmissionCheck> checkObjects;
  private final ParametersLookup<P> lookup;
  private final PodSets podSets;
  private final Remarks<P> remarks;
  private final OwnChecks<P> checks;

  Assembly(
      ControllerDescription told,
      Optional<Parameters.Source<?, P>> source,
      ParametersLookup<P> lookup,
      Check<P> author) {
    this.told = told;
    this.author = author;
    this.source = source;
    this.fatalErrors = told.environment.connection().fatalErrors();
    this.api = told.api();
    @Nullable TimeSource given = told.environment.time();
    this.time = fatalErrors.guard(given == null ? TimeSource.system() : given);
    this.wakeUps =
        new WakeUps(
            told.inputs.workloads(),
            memory,
            List.of(time, told.environment.connection().wireTime()),
            workloadQueue::add);
    this.droppedDelays = new DroppedDelays(check -> checkQueue.add(ObjectKey.cluster(check)));
    this.events = EventRecorder.on(told.guarded(), time, told.meters);
    this.metrics = new CheckMetrics(told.meters, told.controllerName);
    this.guards =
        new GuardSet(
            told.controllerName,
            told.environment.guards().apply(told.guards),
            time,
            metrics,
            fatalErrors);
    this.backendCondition = new BackendCondition(time, time.steady());
    this.checkObjects = told.inputs.checkObjects();
    this.lookup = lookup;
    this.podSets = new PodSets(told.inputs.flavors()::get);
    this.conditions =
        new CheckConditions(
            guards.reach(),
            backendCondition,
            new AppliedParameters(time),
            check -> reportedOn(Optional.of(check)).isPresent());
    guards.reach().whenChanged(this::backendChanged);
    if (told.backendReport != null) {
      told.backendReport.open(guards.reach());
    }
    this.remarks =
        new Remarks<>(
            author,
            told.namesDelays,
            droppedDelays,
            guards.guards(),
            told.inputs.workloads()::list,
            told.inputs.flavors()::list);
    this.checks =
        new OwnChecks<>(
            told.controllerName, checkObjects, lookup, told.inputs.kinds(), remarks, time.steady());
  }

  /** The object whose status says what became of it as parameters of this AdmissionCheck. */
  private Optional<ObjectKey> reportedOn(Optional<AdmissionCheck> check) {
    return source.filter(Parameters.Source::reports).isPresent()
        ? check.flatMap(lookup::referenced)
        : Optional.empty();
  }

  private void backendChanged(String check) {
    ObjectKey key = ObjectKey.cluster(check);
    reportedOn(checkObjects.get(key)).ifPresentOrElse(statusQueue::add, () -> checkQueue.add(key));
  }

  AssembledController controller() {
    Controller evaluations = evaluations();
    Controller.Builder admissionChecks =
        Controller.builder("admissionchecks", admissionChecks()).watch(checkObjects);
    Controller.Builder changes =
        Controller.builder("checkchanges", new CheckChanges<>(checks, wakeUps, conditions))
            .watch(checkObjects);
    lookup
        .informer()
        .ifPresent(
            informer -> {
              watchAll(changes, informer);
              watchAll(admissionChecks, informer);
            });
    Controller activeConditions = admissionChecks.build();
    told.inputs.wake(wakeUps);

    ControllerHost.Builder host =
        told.environment
            .hosting()
            .apply(
                ControllerHost.builder(told.environment.connection(), time)
                    .leaseGuard(told.leaseGuard))
            .meters(told.meters)
            .informers(told.inputs.informers())
            .events(events)
            .controller(changes.build())
            .controller(activeConditions)
            .controller(evaluations);
    List<Runnable> queues = new ArrayList<>();
    source
        .filter(Parameters.Source::reports)
        .map(this::reports)
        .ifPresent(
            statuses -> {
              host.controller(statuses);
              queues.add(() -> statusQueue.open(statuses));
            });
    for (MaintenanceWork maintenance : told.maintenances) {
      Controller work = maintenance.build(guards.calls(), metrics);
      host.controller(work);
      queues.add(() -> maintenance.opened(work));
    }
    ControllerHost built = host.build();
    built.lease().ifPresent(told.inputs.rights()::lease);
    workloadQueue.open(evaluations);
    checkQueue.open(activeConditions);
    queues.forEach(Runnable::run);
    Runnable closeTime = told.environment.time() == null ? time::close : () -> {};
    return new AssembledController(
        told.controllerName,
        built,
        wakeUps,
        fatalErrors,
        () -> told.inputs.require(time),
        answers(),
        Stream.concat(Stream.of(guards::close, closeTime), told.closing.stream()).toList());
  }

  private AdmissionChecks<P> admissionChecks() {
    return new AdmissionChecks<>(
        checks,
        new ActiveCondition<>(
            checks,
            remarks,
            new Probes<>(author, guards.calls(), told.probeEvery, time.steady()),
            guards.reach(),
            time),
        conditions,
        new CheckStatusWriter(
            api,
            told.inputs.served().of(KueueTypes.ADMISSION_CHECK),
            () ->
                told.inputs
                    .rights()
                    .remedy()
                    .words(checks.keys().stream().map(ObjectKey::name).sorted().toList()),
            time.steady()),
        wakeUps,
        new OrphanScan(author, memory, guards.calls(), workloadQueue::add));
  }

  private @Nullable DryEvaluationServer answers() {
    @Nullable HttpAddress address = told.environment.answers();
    if (address == null) {
      return null;
    }
    told.inputs.rights().remedy().answers();
    return new DryEvaluationServer(
        address,
        told.environment.onLoopback(),
        new DryEvaluator<>(author, checks, podSets, guards, timing()),
        guards.guards().timeout(),
        told.environment.connection());
  }

  private Evaluator.Timing timing() {
    return new Evaluator.Timing(
        time,
        told.environment.random(),
        told.pendingEvery,
        new Due.Rechecks(
            told.readyEvery, told.readyUntilAdmission, author instanceof DelayEndingCheck));
  }

  private Controller evaluations() {
    Evaluator<P> evaluator =
        new Evaluator<>(
            author,
            podSets,
            guards,
            new VerdictWriter(
                told.inputs.workloads(),
                api,
                told.inputs.served(),
                droppedDelays,
                events,
                time,
                metrics),
            new RevocationNews(events, metrics),
            timing());
    return Controller.builder(
            "evaluations",
            new WorkloadReconciler<>(
                told.inputs.workloads(),
                checks,
                new Cleanups(author, memory, guards.calls()),
                evaluator,
                memory,
                time))
        .watch(told.inputs.workloads(), WorkloadIndex::concerned)
        .workers(guards.guards().maxConcurrentEvaluations())
        .shareWorkers(ObjectKey::namespace)
        .build();
  }

  /** The controller of the parameters' own statuses. */
  @SuppressWarnings("unchecked") // Parameters.reportingStatus() refuses other types.
  private Controller reports(Parameters.Source<?, P> reporting) {
    var objects = (Informer<CustomResource<?>>) lookup.informer().orElseThrow();
    var type = (ResourceType<CustomResource<?>>) reporting.type();
    return Controller.builder(
            "parametersstatus",
            new ParametersStatus<>(
                type, objects, checks, guards.reach(), backendCondition, api, time))
        .watch(objects)
        .watch(checkObjects, this::referencedBeforeAndNow)
        .build();
  }

  private List<ObjectKey> referencedBeforeAndNow(Change<AdmissionCheck> change) {
    return change.states().stream()
        .flatMap(check -> lookup.referenced(check).stream())
        .distinct()
        .toList();
  }

  private <T extends KubernetesObject> void watchAll(
      Controller.Builder controller, Informer<T> informer) {
    controller.watch(informer, change -> checks.keys());
  }
}
