// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The one method that the author of a check writes: may this workload, whose quota is reserved,
 * start?
 *
 * <p>It is called only while the answer matters: the workload is active, not finished, not being
 * deleted, not evicted, its quota is reserved and this check's entry is Pending. It is called again
 * for every new reservation, and about a Ready whose workload has changed before it was admitted:
 * the entry is Ready then, and a Retry or Rejected takes that back. The controller writes the
 * answer, and drops it when it comes too late: one about a former reservation always, a Ready also
 * when the workload is being evicted. An implementation need not check for that.
 *
 * <p>Calls for different workloads run concurrently, each on a thread of its own that may block; it
 * is interrupted at {@link Evaluation#deadline()}.
 *
 * <p>An answer that makes no sense harms no other workload. Null, updates of a pod set that isn't
 * there, more than one of the same, or one above 256 KiB count as a failed evaluation, which the
 * entry tells. Messages are cut to the 32768 characters that the API keeps, delays to the {@code
 * longestDelay} of the {@link Guards}, 24 h by default ({@code docs/RELIABILITY.md}, "A check that
 * errs").
 *
 * {@snippet file="io/github/kueue4j/sdk/example/LicenseCheck.java" region=check}
 *
 * @param <P> the parameters of the check, read from the object that the AdmissionCheck refers to;
 *     {@link NoParameters} for a check without any
 */
@FunctionalInterface
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Check<P> {

  /**
   * Judges one workload.
   *
   * @param evaluation the workload, what it asks for and which attempt this is
   * @return the verdict, never null
   * @throws Exception if the evaluation fails unexpectedly: the workload stays Pending and is
   *     evaluated again with a growing delay; when evaluations keep failing for longer than the
   *     controller's error budget, the workload gets a Retry, so that a broken backend doesn't hold
   *     quota. Throw a {@link BackendUnavailableException} if the failure has nothing to do with
   *     the workload, and a {@link NotAskedException} where the check asks no more often at present
   */
  Verdict evaluate(Evaluation<P> evaluation) throws Exception;

  /**
   * The answer to a workload whose evaluations go on failing, in place of that by the controller's
   * guards for all checks. It only computes: it has no thread of its own, and no timeout.
   *
   * @param failure of the workload's last evaluation, or, while the circuit breaker is open, of the
   *     last one that spoke against the backend, whichever workload's that was
   * @param usual what the guards say
   */
  default ErrorPolicy errorPolicy(P parameters, Exception failure, ErrorPolicy usual) {
    return usual;
  }

  /**
   * Whether the check may run in the mode Observe, in which its answers count for nothing: an
   * evaluation must change nothing then that others see. Where this says no, the condition Active
   * of such an AdmissionCheck is False. Unless overridden, a {@link Cleanup} says no, since it
   * takes what has to be given up.
   */
  default boolean observable() {
    return !(this instanceof Cleanup);
  }

  /**
   * The answer of the check about a workload that isn't there, for {@code kueue4j try}. It changes
   * nothing: it writes and books nothing, and asks a backend only for what that may be asked at any
   * time. What it throws is told in place of an answer. {@link
   * io.github.kueue4j.sdk.objects.ResourceClient} refuses to write meanwhile.
   *
   * <p>Calls run as those of {@link #evaluate} do, with its timeout, and besides them: they count
   * in no metric, and neither the circuit breaker nor the rate limit knows of them. Four run at
   * once, and five in a second. Each replica answers, also one that doesn't lead.
   *
   * @param evaluation the workload with the quota that it would get now, and an entry that is
   *     Pending; its uid is invented
   * @return empty if the check can't be asked in advance, as it is unless overridden
   * @throws Exception if there is no answer
   */
  default Optional<Verdict> dryEvaluate(Evaluation<P> evaluation) throws Exception {
    return Optional.empty();
  }

  /**
   * Whether the check may be asked before quota ({@code docs/guides/before-quota.md}), when {@link
   * Evaluation#beforeQuota} is true: its pod sets have no flavors then, and nothing may be taken
   * that has to be given up, since such an answer only lets the Workload be offered to the
   * scheduler. Where this says no, the condition Active of such an AdmissionCheck is False. No
   * unless overridden, since a check may rely on a flavor, or take something when it is asked.
   */
  default boolean answersBeforeQuota() {
    return false;
  }

  /**
   * The parts of the parameters that have no effect, or likely another one than is meant: the
   * condition Active of the AdmissionCheck says it, and stays True. It only computes, as {@link
   * #errorPolicy} does.
   *
   * @param at what the parameters are held against
   * @return each as a sentence without its full stop, with the field, its value and the remedy
   */
  default List<String> remarks(P parameters, Circumstances at) {
    return List.of();
  }
}
