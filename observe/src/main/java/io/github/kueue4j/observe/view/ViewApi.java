// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.ViewedCore;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.observe.dryrun.DryRunInput;
import io.github.kueue4j.observe.dryrun.DryRunInputReader;
import io.github.kueue4j.observe.dryrun.ReadObjects;
import io.github.kueue4j.observe.explain.Explain;
import io.github.kueue4j.observe.explain.ExplainInput;
import io.github.kueue4j.observe.explain.ExplainInputReader;
import io.github.kueue4j.observe.explain.UnknownNameException;
import io.github.kueue4j.observe.forecast.CheckDurations;
import io.github.kueue4j.observe.forecast.Forecast;
import io.github.kueue4j.observe.forecast.QuotaForecast;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** The answers of the view's JSON API, version 1; docs/view-api.md describes them. */
final class ViewApi {
  private static final Set<String> NAMESPACE = Set.of("namespace");

  /** The page waits longer than this and {@link #LONGEST_FORECAST} together. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final Duration FORECAST_SERVES = Duration.ofSeconds(15);

  /** For how long a forecast is computed before it is given up. */
  private static final Duration LONGEST_FORECAST = Duration.ofSeconds(10);

  /** With more Workloads in the queues that share a quota, a forecast takes too long for a page. */
  private static final int MOST_FORESEEN = 500;

  private final ViewedCore core;
  private final CoreInformers caches;
  private final ViewSnapshots snapshots;
  private final UsageHistory history;
  private final Transitions transitions;
  private final InstantSource effort;
  private final CostlyAnswers<ForeseenWorkload, QuotaForecast> forecasts;
  private final ViewBudgets budgets;

  ViewApi(
      ViewedCore core,
      ViewSnapshots snapshots,
      UsageHistory history,
      Transitions transitions,
      ViewBudgets budgets,
      InstantSource effort) {
    this.core = core;
    this.caches = core.caches();
    this.budgets = budgets;
    this.snapshots = snapshots;
    this.history = history;
    this.transitions = transitions;
    this.effort = effort;
    this.forecasts =
        new CostlyAnswers<>(
            "forecast",
            FORECAST_SERVES,
            workload -> computed(workload.key()),
            core.time(),
            effort,
            PATIENCE);
  }

  /**
   * The answer to a request.
   *
   * @param path below {@code /view/v1/}, decoded, without empty parts
   * @param query as sent; null if there is none
   * @throws ViewProblem if there is none
   */
  Object answer(List<String> path, @Nullable String query, Viewer viewer) {
    return switch (path.size()) {
      case 1 ->
          switch (path.getFirst()) {
            case "queues" -> queues(ViewQuery.of(query, NAMESPACE), viewer);
            case "workloads" ->
                workloads(ViewQuery.of(query, WorkloadSelection.PARAMETERS), viewer);
            case "history" -> history(ViewQuery.of(query, NAMESPACE), viewer);
            case "checks" -> checks(ViewQuery.of(query, NAMESPACE), viewer);
            case "budgets" -> budgets(ViewQuery.of(query, NAMESPACE), viewer);
            default -> throw unknown();
          };
      case 2 -> {
        if (!path.equals(List.of("budgets", "offered"))) {
          throw unknown();
        }
        ViewQuery.of(query, Set.of());
        // Every user whom the API server authenticates may know that: others are refused here.
        viewer.seesAllNamespaces();
        yield budgets.offer();
      }
      case 4 -> workload(named(path, query), viewer);
      case 5 -> {
        if (!path.get(4).equals("when")) {
          throw unknown();
        }
        yield when(named(path, query), viewer);
      }
      default -> throw unknown();
    };
  }

  private static ObjectKey named(List<String> path, @Nullable String query) {
    if (!path.get(0).equals("namespaces") || !path.get(2).equals("workloads")) {
      throw unknown();
    }
    ViewQuery.of(query, Set.of());
    return new ObjectKey(path.get(1), path.get(3));
  }

  private static ViewProblem unknown() {
    return new ViewProblem(
        404,
        "there is no such path; see /view/v1/queues, /view/v1/history, /view/v1/workloads,"
            + " /view/v1/checks, /view/v1/budgets, /view/v1/namespaces/NAMESPACE/workloads/NAME,"
            + " the same with /when, and /view/v1/events");
  }

  private ShownQueues queues(ViewQuery query, Viewer viewer) {
    SeenQueues seen = SeenQueues.of(query.text("namespace"), viewer);
    ViewSnapshot snapshot = snapshots.current();
    return seen.namespace() == null
        ? ShownQueues.withoutLocalQueues(snapshot)
        : ShownQueues.of(snapshot, seen.clusterWide(), seen.namespace());
  }

  private ShownHistory history(ViewQuery query, Viewer viewer) {
    SeenQueues seen = SeenQueues.of(query.text("namespace"), viewer);
    return history.shown(seen.clusterWide(), seen.namespace());
  }

  /**
   * The queues that a viewer sees.
   *
   * @param clusterWide whether they see ClusterQueues and Cohorts
   * @param namespace whose LocalQueues they see: empty for all, null for none
   */
  private record SeenQueues(boolean clusterWide, @Nullable String namespace) {
    static SeenQueues of(String namespace, Viewer viewer) {
      boolean clusterWide = viewer.seesClusterQueues();
      if (!clusterWide || !namespace.isEmpty()) {
        viewer.checkWorkloads(namespace);
      }
      return new SeenQueues(
          clusterWide, !namespace.isEmpty() || viewer.seesAllNamespaces() ? namespace : null);
    }
  }

  private WorkloadSelection.Found workloads(ViewQuery query, Viewer viewer) {
    WorkloadSelection selection = WorkloadSelection.of(query);
    viewer.checkWorkloads(selection.namespace());
    return selection.in(snapshots.current());
  }

  private ShownChecks checks(ViewQuery query, Viewer viewer) {
    String namespace = query.text("namespace");
    viewer.checkWorkloads(namespace);
    return ShownChecks.of(snapshots.current(), caches.checks().list(), transitions, namespace);
  }

  /** A Workload; another one of its name has another uid. */
  private record ForeseenWorkload(ObjectKey key, String uid) {}

  private ViewBudgets.BudgetsAnswer budgets(ViewQuery query, Viewer viewer) {
    String namespace = query.text("namespace");
    viewer.checkWorkloads(namespace);
    return budgets.of(namespace);
  }

  private ShownExplanation workload(ObjectKey key, Viewer viewer) {
    viewer.checkWorkloads(key.namespace());
    ViewSnapshot snapshot = snapshots.current();
    Workload found = found(key, snapshot);
    ExplainInput around = around(key, viewer);
    Instant now = core.time().instant();
    return ShownExplanation.of(
        snapshot,
        found,
        ShownExplanation.WhyAnswer.of(
            Explain.why(around, now), viewer.allowed(KueueTypes.CLUSTER_QUEUE, "")),
        Explain.notAskedYet(around, now),
        transitions);
  }

  private static Workload found(ObjectKey key, ViewSnapshot snapshot) {
    Workload workload = snapshot.state().workloads().get(key);
    if (workload == null) {
      throw gone(key);
    }
    return workload;
  }

  private ShownForecast when(ObjectKey key, Viewer viewer) {
    viewer.checkWorkloads(key.namespace());
    ViewSnapshot snapshot = snapshots.current();
    Workload workload = found(key, snapshot);
    Optional<String> other = Forecast.notWaiting(workload);
    if (other.isPresent()) {
      Optional<CheckDurations> checks = Forecast.checks(this::cached, workload);
      return ShownForecast.notWaiting(
          other.get(),
          viewer.seesAllNamespaces() ? checks : checks.map(CheckDurations::uncounted),
          snapshot.time());
    }
    CostlyAnswers.TimedAnswer<QuotaForecast> found =
        forecasts.of(new ForeseenWorkload(key, String.valueOf(workload.metadata().getUid())));
    return ShownForecast.of(
        viewer.seesAllNamespaces() ? found.value() : found.value().seenFrom(key.namespace()),
        found.time());
  }

  /**
   * Names of other namespaces decide nothing, but whether they are managed does: none is hidden.
   */
  private DryRunInput around(String namespace) {
    SnapshotReads reads = reads(new Viewer(ViewAccess.everyone(), ""), namespace);
    return DryRunInputReader.ofRunning(reads, core.configuration()).read(namespace);
  }

  /** The objects that tell how long checks take; the API server isn't asked for them. */
  private ReadObjects cached() {
    ReadObjects objects = new ReadObjects();
    caches.workloads().list().forEach(each -> objects.put(KueueTypes.WORKLOAD, each));
    caches.localQueues().list().forEach(each -> objects.put(KueueTypes.LOCAL_QUEUE, each));
    caches.clusterQueues().list().forEach(each -> objects.put(KueueTypes.CLUSTER_QUEUE, each));
    caches.checks().list().forEach(each -> objects.put(KueueTypes.ADMISSION_CHECK, each));
    return objects;
  }

  private QuotaForecast computed(ObjectKey key) {
    Instant deadline = effort.instant().plus(LONGEST_FORECAST);
    try {
      DryRunInput input = around(key.namespace());
      if (input.objects().find(KueueTypes.WORKLOAD, key).isEmpty()) {
        throw gone(key);
      }
      return Forecast.of(
          input,
          key,
          core.time().instant(),
          MOST_FORESEEN,
          () -> !effort.instant().isBefore(deadline));
    } catch (CancellationException e) {
      throw new ViewProblem(503, "the request took too long or the core ends");
    } catch (KubernetesApiException e) {
      throw unanswered(key, e);
    }
  }

  private static ViewProblem unanswered(ObjectKey key, KubernetesApiException cause) {
    return new ViewProblem(
        503, "the API server could not be asked about " + key + ": " + cause.getMessage());
  }

  private SnapshotReads reads(Viewer viewer, String namespace) {
    return new SnapshotReads(core.connection().api(), caches, viewer, namespace);
  }

  private ExplainInput around(ObjectKey key, Viewer viewer) {
    SnapshotReads reads = reads(viewer, key.namespace());
    try {
      return new ExplainInputReader(reads, core.configuration())
          .read(key.namespace(), "workload/" + key.name());
    } catch (UnknownNameException e) {
      throw gone(key);
    } catch (KubernetesApiException e) {
      throw unanswered(key, e);
    }
  }

  private static ViewProblem gone(ObjectKey key) {
    return new ViewProblem(
        404, "there is no Workload " + key.name() + " in the namespace " + key.namespace());
  }
}
