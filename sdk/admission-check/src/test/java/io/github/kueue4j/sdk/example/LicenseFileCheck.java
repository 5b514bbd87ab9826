// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.example;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.DelayEndingCheck;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.objects.Watch;
import io.github.kueue4j.sdk.objects.Watched;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import java.time.Duration;
import java.util.Optional;

/** A Workload starts once the ConfigMap with the license is in its namespace. */
// @start region=delay
record LicenseFileCheck(Watched<V1ConfigMap> licenses) implements DelayEndingCheck<NoParameters> {

  static CheckController controller(CheckEnvironment environment) {
    CheckController.Builder builder = CheckController.builder("example.com/license", environment);
    Watched<V1ConfigMap> licenses = builder.watch(Watch.of(CoreTypes.CONFIG_MAP).named("license"));
    return builder.check(new LicenseFileCheck(licenses)).build();
  }

  @Override
  public Verdict evaluate(Evaluation<NoParameters> evaluation) {
    return isThere(evaluation)
        ? Verdict.ready("There is a license.")
        : Verdict.retry(
            Reason.of("NoLicense"), "There is no license.", Backoff.fixed(Duration.ofHours(6)));
  }

  @Override
  public Optional<String> delayEnds(Evaluation<NoParameters> waiting) {
    return isThere(waiting) ? Optional.of("A license has come.") : Optional.empty();
  }

  private boolean isThere(Evaluation<NoParameters> evaluation) {
    return licenses.get(new ObjectKey(evaluation.namespace(), "license")).isPresent();
  }
}
// @end region=delay
