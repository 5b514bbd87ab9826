// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.dependencycheck;

import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.dependencycheck.Dependencies.Seen;
import io.github.kueue4j.dependencycheck.Dependencies.State;
import io.github.kueue4j.dependencycheck.DependencyCheckSpec.Answer;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.DelayEndingCheck;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.Waker;
import io.github.kueue4j.sdk.objects.Watched;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** Lets Workloads start after others have succeeded. The package says how. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DependencyCheck implements DelayEndingCheck<DependencyCheckSpec> {

  /** The kind of its parameters, which an AdmissionCheck may do without. */
  public static final ResourceType<CustomResource<DependencyCheckSpec>> TYPE =
      ResourceType.clusterScoped(
          "checks.kueue4j.io/v1alpha1", "DependencyCheck", DependencyCheckSpec.class);

  /** What AdmissionChecks name as their controller, unless it is run under another name. */
  public static final String CONTROLLER_NAME = "kueue4j.io/dependency";

  private static final Reason UNREADABLE = Reason.of("DependenciesUnreadable");
  private static final Reason FAILED = Reason.of("DependencyFailed");
  private static final Reason ABSENT = Reason.of("DependencyAbsent");
  private static final Reason UNFINISHED = Reason.of("DependencyUnfinished");

  /** What is submitted together isn't seen at once, nor is all after a start. */
  private static final Duration YOUNG = Duration.ofMinutes(1);

  private static final int MOST_TOLD = 5;

  private final Dependencies dependencies;

  DependencyCheck(Dependencies dependencies) {
    this.dependencies = dependencies;
  }

  /** The check as a controller that can still be changed, for example to serve metrics. */
  public static CheckController.Builder builder(
      CheckEnvironment environment, String controllerName) {
    CheckController.Builder controller = CheckController.builder(controllerName, environment);
    Dependencies dependencies =
        new Dependencies(environment.time() == null ? TimeSource.wallClock() : environment.time());
    Watched<Workload> workloads = controller.workloads();
    Waker waker = controller.waker();
    workloads.onChange(key -> dependencies.changed(key, workloads.get(key)).forEach(waker::wake));
    return controller
        .namesDelays()
        .wakeOnWorkloadChange((before, now) -> !Named.written(before).equals(Named.written(now)))
        .check(
            Parameters.of(TYPE).reportingStatus().orElse(DependencyCheckSpec.defaults()),
            new DependencyCheck(dependencies));
  }

  /** The check as a controller, not yet started. */
  public static CheckController controller(CheckEnvironment environment, String controllerName) {
    return builder(environment, controllerName).build();
  }

  /** The definition of the kind of its parameters, as YAML. */
  public static List<String> crds() {
    return Crds.beside(DependencyCheck.class, TYPE);
  }

  /** It looks at no flavor, and takes nothing. */
  @Override
  public boolean answersBeforeQuota() {
    return true;
  }

  @Override
  public Verdict evaluate(Evaluation<DependencyCheckSpec> evaluation) {
    return judge(
        evaluation, outlook -> outlook.tell(dependencies.circle(evaluation.key(), outlook.all())));
  }

  private Verdict judge(Evaluation<DependencyCheckSpec> evaluation, Consumer<Outlook> first) {
    if (Dependencies.hasRun(evaluation.workload())) {
      return Verdict.ready("It has run before; what it depends on counts for the first start.");
    }
    try {
      Outlook outlook = Outlook.of(evaluation, dependencies);
      first.accept(outlook);
      return outlook.verdict(evaluation);
    } catch (InvalidFieldException e) {
      return Verdict.rejected(UNREADABLE, e.getMessage() + ".");
    }
  }

  @Override
  public Optional<Verdict> dryEvaluate(Evaluation<DependencyCheckSpec> evaluation) {
    return Optional.of(evaluate(evaluation));
  }

  /** Also to tell what doesn't come about by itself, which the author of the Job has to see. */
  @Override
  public Optional<String> delayEnds(Evaluation<DependencyCheckSpec> waiting) {
    List<String> troubles = new ArrayList<>();
    return switch (judge(
        waiting,
        outlook -> {
          troubles.addAll(outlook.troubles());
          if (outlook.countsBefore(waiting)) {
            troubles.add("What isn't there is waited for a minute from now on.");
          }
        })) {
      case Verdict.Ready ready -> Optional.of(ready.message());
      case Verdict.Rejected rejected -> Optional.of(rejected.message());
      case Verdict.Retry retry ->
          troubles.stream()
              .filter(trouble -> !waiting.entry().message().contains(trouble))
              .findFirst();
      case Verdict.Pending pending -> Optional.empty();
      case Verdict.Unchanged unchanged -> Optional.empty();
    };
  }

  /**
   * How things stand for one Workload.
   *
   * @param all that it depends on
   * @param open those that haven't succeeded, nor count as if they had
   * @param failed those that have failed
   * @param absent those that aren't there
   * @param absentSince when the last of them can have gone; empty for a Workload that isn't created
   * @param troubles what doesn't come about by itself, in sentences, the first few
   */
  private record Outlook(
      Set<Named> all,
      List<Named> open,
      List<Seen> failed,
      List<Named> absent,
      Optional<Instant> absentSince,
      List<String> troubles) {

    /**
     * @throws InvalidFieldException if the annotation can't be read
     */
    static Outlook of(Evaluation<DependencyCheckSpec> evaluation, Dependencies dependencies) {
      Set<Named> all = Named.dependencies(evaluation.workload());
      Optional<Instant> created = dependencies.created(evaluation.workload());
      Instant since = dependencies.since();
      Outlook outlook =
          new Outlook(
              all,
              new ArrayList<>(),
              new ArrayList<>(),
              new ArrayList<>(),
              created.map(start -> start.isBefore(since) ? since : start),
              new ArrayList<>());
      all.forEach(
          name -> outlook.add(name, dependencies.find(name, created.orElse(evaluation.now()))));
      return outlook;
    }

    /** When what isn't there counts; empty if it counts by now, or never does. */
    private Optional<Instant> young(Evaluation<DependencyCheckSpec> evaluation) {
      return absentSince
          .map(start -> start.plus(YOUNG))
          .filter(evaluation.now()::isBefore)
          .filter(end -> !absent.isEmpty() && evaluation.parameters().absent() != Answer.RETRY);
    }

    /** Whether the delay of one that waits ends later: it was told before a restart. */
    private boolean countsBefore(Evaluation<DependencyCheckSpec> waiting) {
      Optional<Instant> told =
          Optional.ofNullable(waiting.entry().requeueAfterSeconds())
              .map(seconds -> waiting.entry().lastTransitionTime().plusSeconds(seconds));
      return young(waiting)
          .filter(end -> told.filter(end.plusSeconds(1)::isBefore).isPresent())
          .isPresent();
    }

    private void tell(List<Named> circle) {
      if (!circle.isEmpty()) {
        List<Named> told = circle.size() > MOST_TOLD ? circle.subList(0, MOST_TOLD) : circle;
        troubles.addFirst(
            Stream.concat(Stream.of(circle.getLast()), told.stream())
                    .map(Named::toString)
                    .collect(Collectors.joining(" after ", "It depends on itself: ", ""))
                + (told.size() < circle.size() ? " after others." : "."));
      }
    }

    private void add(Named name, Optional<Seen> seen) {
      if (seen.filter(one -> one.state() == State.SUCCEEDED).isPresent()) {
        return;
      }
      open.add(name);
      if (seen.isEmpty()) {
        absent.add(name);
      } else if (seen.get().state() == State.FAILED) {
        failed.add(seen.get());
        // A brace could begin a placeholder.
        trouble(name + " has failed: " + seen.get().end().replace('{', '(') + ".");
      } else if (seen.get().state() == State.STOPPED) {
        trouble(name + " is stopped.");
      } else if (seen.get().state() == State.GOES) {
        trouble(name + " was deleted before it had ended; create it anew.");
      }
    }

    private void trouble(String sentence) {
      if (troubles.size() < MOST_TOLD) {
        troubles.add(sentence);
      }
    }

    Verdict verdict(Evaluation<DependencyCheckSpec> evaluation) {
      DependencyCheckSpec spec = evaluation.parameters();
      Optional<Instant> young = young(evaluation);
      if (!failed.isEmpty() && spec.failed() == Answer.REJECTED) {
        return Verdict.rejected(
            FAILED,
            String.join(" ", troubles)
                + " It was to start after that. Create that anew, and then this Job, or resume its"
                + " Workload.");
      }
      if (young.isEmpty() && !absent.isEmpty() && spec.absent() == Answer.REJECTED) {
        return Verdict.rejected(
            ABSENT,
            "It was to start after %s, and there is none. Create that, and then this Job anew, or resume its Workload."
                .formatted(list(absent)));
      }
      boolean absentCounts = young.isEmpty() && spec.absent() == Answer.READY;
      if (absentCounts ? open.size() == absent.size() : open.isEmpty()) {
        return Verdict.ready(ready());
      }
      Backoff wait = Backoff.fixed(spec.longestWait()).atMost(spec.longestWait());
      return Verdict.retry(
          UNFINISHED,
          waits(evaluation.now()),
          young.map(end -> Backoff.earliest(wait, Backoff.until(end))).orElse(wait));
    }

    private String ready() {
      if (all.isEmpty()) {
        return "It depends on no other: neither the Workload nor its pods have the annotation "
            + Named.ANNOTATION
            + ".";
      }
      List<Named> done = all.stream().filter(name -> !absent.contains(name)).toList();
      return Stream.of(
              done.isEmpty() ? "" : list(done) + " succeeded.",
              absent.isEmpty()
                  ? ""
                  : "There is no " + list(absent) + ", which counts as success here.")
          .filter(text -> !text.isEmpty())
          .collect(Collectors.joining(" "));
    }

    private String waits(Instant now) {
      return Stream.of(
              Stream.of("It waits for the success of " + list(open) + "."),
              troubles.stream(),
              absent.isEmpty()
                  ? Stream.<String>of()
                  : Stream.of(
                      "At %s there was no %s. If that is still so, create it; if the name is wrong, create this Job anew."
                          .formatted(now.truncatedTo(ChronoUnit.SECONDS), list(absent))),
              Stream.of("It is asked about again in {delay} at the latest."))
          .flatMap(texts -> texts)
          .collect(Collectors.joining(" "));
    }

    private static String list(Collection<Named> names) {
      List<String> told = names.stream().limit(MOST_TOLD).map(Named::toString).toList();
      return String.join(", ", told)
          + (names.size() > told.size()
              ? " and %d others".formatted(names.size() - told.size())
              : "");
    }
  }
}
