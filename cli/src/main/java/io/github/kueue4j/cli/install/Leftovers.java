// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.install;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The objects that the programs of a release made by themselves, and that Helm therefore leaves
 * behind when it uninstalls the release: their Leases, and definitions that ask the core's webhook,
 * which is gone, to convert {@code v1beta1}.
 *
 * <p>Everything is looked at again and again, since the release's pods may still be ending. It can
 * be ended at any time and run again.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class Leftovers {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

  /** One thing that is left behind. */
  interface Leftover {
    /** Looks at it, does what can be done now, and returns whether nothing is left to do. */
    boolean removed(Instant now);

    /** Why something is still left to do, as a sentence. */
    String problem();
  }

  /** Waits between two looks. */
  @FunctionalInterface
  @API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
  public interface Pause {
    /** Returns whether to give up. */
    boolean of(Duration time) throws InterruptedException;
  }

  /** The Service first: while it exists, the core may still be installed. */
  private final List<List<Leftover>> steps = new ArrayList<>();

  private final InstantSource clock;
  private final Pause pause;

  /**
   * The leftovers of one release.
   *
   * @param namespace the release's
   * @param leases the names of its Leases there
   * @param webhookService the name of the Service there by which the API server reached the core's
   *     webhooks; absent: the conversion stays as it is
   * @param out gets a line about each thing that is done or waited for
   */
  public Leftovers(
      KubernetesApi api,
      String namespace,
      List<String> leases,
      @Nullable String webhookService,
      Consumer<String> out,
      InstantSource clock,
      Pause pause) {
    this.clock = clock;
    this.pause = pause;
    if (webhookService != null) {
      steps.add(List.of(new LeftService(api, new ObjectKey(namespace, webhookService))));
    }
    steps.add(
        leases.stream()
            .<Leftover>map(lease -> new LeftLease(api, new ObjectKey(namespace, lease), out))
            .toList());
    if (webhookService != null) {
      ObjectKey service = new ObjectKey(namespace, webhookService);
      steps.add(
          Stream.of(
                  KueueTypes.CLUSTER_QUEUE,
                  KueueTypes.COHORT,
                  KueueTypes.LOCAL_QUEUE,
                  KueueTypes.WORKLOAD)
              .<Leftover>map(type -> new LeftConversion(api, type.qualifiedName(), service, out))
              .toList());
    }
  }

  /**
   * Removes them.
   *
   * @param timeout how long it may take
   * @return why something is left, a sentence for each thing that was not removed; empty when done
   * @throws KubernetesApiException if the server refuses a request for another reason than that it
   *     can't answer now
   */
  public List<String> remove(Duration timeout) throws InterruptedException {
    Instant deadline = clock.instant().plus(timeout);
    List<String> problems = problems();
    while (!problems.isEmpty() && clock.instant().isBefore(deadline)) {
      if (pause.of(BETWEEN_LOOKS)) {
        break;
      }
      problems = problems();
    }
    return problems;
  }

  /** One look at all of them, as far as the steps before are done. */
  private List<String> problems() {
    for (List<Leftover> step : steps) {
      List<String> problems =
          step.stream().filter(each -> !removed(each)).map(Leftover::problem).toList();
      if (!problems.isEmpty()) {
        return problems;
      }
    }
    return List.of();
  }

  private boolean removed(Leftover each) {
    try {
      return each.removed(clock.instant());
    } catch (KubernetesApiException.Unreachable
        | KubernetesApiException.TooManyRequests
        | KubernetesApiException.ServerFailure e) {
      // The server may answer at the next look.
      return false;
    }
  }
}
