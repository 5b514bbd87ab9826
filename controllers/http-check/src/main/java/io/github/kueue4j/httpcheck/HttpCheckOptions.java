// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import io.github.kueue4j.http.AddressRules;
import java.time.Duration;
import org.apiguardian.api.API;

/**
 * How the HTTP check runs.
 *
 * @param controllerName what AdmissionChecks name as their controller
 * @param addresses which addresses endpoints may have
 * @param allowFiles whether endpoints may name files of the controller's container, such as tokens;
 *     an author of an HttpCheck can then have such a file sent to a server
 * @param recheckReadyEvery how often Workloads are asked about again that were let through, where
 *     the HttpCheck has {@code recheckReady}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record HttpCheckOptions(
    String controllerName, AddressRules addresses, boolean allowFiles, Duration recheckReadyEvery) {

  /** {@code kueue4j.io/http}; the usual addresses; no files; every 5 min. */
  public static HttpCheckOptions defaults() {
    return new HttpCheckOptions(
        "kueue4j.io/http", AddressRules.defaults(), false, Duration.ofMinutes(5));
  }

  /** The same with other rules for addresses. */
  public HttpCheckOptions withAddresses(AddressRules rules) {
    return new HttpCheckOptions(controllerName, rules, allowFiles, recheckReadyEvery);
  }
}
