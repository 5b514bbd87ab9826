// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.consumption;

import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.policy.Policy;
import java.time.Instant;
import java.util.Map;
import org.apiguardian.api.API;

/** Tells what the pods of a namespace have consumed in the present window of a policy. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface Consumption {

  /**
   * Measures, unless it has just been measured.
   *
   * @param queue the LocalQueue; of interest where the policy's limit is per LocalQueue
   * @param answered runs when a server has been asked and answered, whatever it said
   * @return by LocalQueue; of the namespace as a whole under the empty one; where there is nothing,
   *     only the ledger's own numbers count
   * @throws ConsumptionUnknownException if it can't be told for this namespace; the message says
   *     why
   * @throws io.github.kueue4j.sdk.BackendUnavailableException if it can't be told for any namespace
   *     at present: the server doesn't answer, or what it measures by isn't fresh
   * @throws InterruptedException if the thread is interrupted
   */
  Map<String, Amount> spent(
      Policy policy, String namespace, String queue, Instant now, Runnable answered)
      throws InterruptedException;

  /** As it was measured last in this window. Never waits. */
  Map<String, Amount> last(Policy policy, String namespace, Instant now);

  /** Drops what was measured of a namespace that is gone. */
  void forgetNamespace(String namespace);

  /** Drops what was measured for a BudgetPolicy that is gone. */
  void forgetPolicy(String policy);

  /** The ledger's own numbers. */
  static Consumption ofLedger() {
    return new Consumption() {
      @Override
      public Map<String, Amount> spent(
          Policy policy, String namespace, String queue, Instant now, Runnable answered) {
        return Map.of();
      }

      @Override
      public Map<String, Amount> last(Policy policy, String namespace, Instant now) {
        return Map.of();
      }

      @Override
      public void forgetNamespace(String namespace) {
        // Nothing is kept.
      }

      @Override
      public void forgetPolicy(String policy) {
        // Nothing is kept.
      }
    };
  }
}
