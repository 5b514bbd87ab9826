// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.example;

import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.Cleanup;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Holding;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;
import java.util.Collection;

/** An example of the guide. */
// @start region=server
public final class LicenseServerCheck implements Check<NoParameters>, Cleanup {
  /** Keeps its leases by what they are for; taking or returning one twice changes nothing. */
  public interface LicenseServer {
    boolean lease(Holding holding);

    void giveBack(Holding holding);

    void giveBackAll(String workloadUid);

    Collection<Holding> leases();
  }

  private static final Backoff SOON = Backoff.fixed(Duration.ofMinutes(1));

  private final LicenseServer server;

  public LicenseServerCheck(LicenseServer server) {
    this.server = server;
  }

  @Override
  public Verdict evaluate(Evaluation<NoParameters> evaluation) {
    return server.lease(Holding.of(evaluation))
        ? Verdict.ready("Leased as " + evaluation.attemptId() + ".")
        : Verdict.retry(Reason.of("NoLicense"), "No license is free.", SOON);
  }

  @Override
  public void cleanUp(Workload workload, Holding holding) {
    cleanUpDeleted(holding);
  }

  @Override
  public void cleanUpDeleted(Holding holding) {
    if (holding.isOfAnyAttempt()) {
      server.giveBackAll(holding.uid());
    } else {
      server.giveBack(holding);
    }
  }

  @Override
  public Collection<Holding> owned() {
    return server.leases();
  }
}
// @end region=server
