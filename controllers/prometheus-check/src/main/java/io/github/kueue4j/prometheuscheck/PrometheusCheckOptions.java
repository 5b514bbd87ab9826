// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.prometheuscheck;

import io.github.kueue4j.http.AddressRules;
import java.time.Duration;
import org.apiguardian.api.API;

/**
 * How the Prometheus check runs.
 *
 * @param controllerName what AdmissionChecks name as their controller
 * @param addresses which addresses a Prometheus server may have
 * @param allowFiles whether endpoints may name files of the controller's container, such as tokens;
 *     the author of a PrometheusCheck can then have such a file sent to a server
 * @param recheckReadyEvery how often Workloads are asked about again that were let through, where
 *     the PrometheusCheck has {@code recheckReady}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PrometheusCheckOptions(
    String controllerName, AddressRules addresses, boolean allowFiles, Duration recheckReadyEvery) {

  /** {@code kueue4j.io/prometheus}; the usual addresses; no files; every minute. */
  public static PrometheusCheckOptions defaults() {
    return new PrometheusCheckOptions(
        "kueue4j.io/prometheus", AddressRules.defaults(), false, Duration.ofMinutes(1));
  }

  /** The same with other rules for addresses. */
  public PrometheusCheckOptions withAddresses(AddressRules rules) {
    return new PrometheusCheckOptions(controllerName, rules, allowFiles, recheckReadyEvery);
  }

  /** The same with another interval of rechecks, positive. */
  public PrometheusCheckOptions withRecheckReadyEvery(Duration interval) {
    return new PrometheusCheckOptions(controllerName, addresses, allowFiles, interval);
  }
}
