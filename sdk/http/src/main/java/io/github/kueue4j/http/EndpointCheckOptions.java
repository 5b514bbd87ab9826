// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import io.github.kueue4j.sdk.controller.CheckController;
import io.github.kueue4j.sdk.controller.CheckEnvironment;
import java.time.Duration;
import org.apiguardian.api.API;

/**
 * How a check runs whose parameters name an endpoint.
 *
 * @param controllerName what AdmissionChecks name as their controller
 * @param addresses which addresses endpoints may have
 * @param allowFiles whether endpoints may name files of the controller's container, such as tokens;
 *     an author of an endpoint can then have such a file sent to a server
 * @param recheckReadyEvery how often Workloads are asked about again that were let through, where
 *     their parameters have {@code recheckReady}; positive
 * @see HttpBackends
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record EndpointCheckOptions(
    String controllerName, AddressRules addresses, boolean allowFiles, Duration recheckReadyEvery) {

  /** The usual addresses, and no files. */
  public static EndpointCheckOptions of(String controllerName, Duration recheckReadyEvery) {
    return new EndpointCheckOptions(
        controllerName, AddressRules.defaults(), false, recheckReadyEvery);
  }

  /** The same with other rules for addresses. */
  public EndpointCheckOptions withAddresses(AddressRules rules) {
    return new EndpointCheckOptions(controllerName, rules, allowFiles, recheckReadyEvery);
  }

  /** The same with another interval of rechecks, positive. */
  public EndpointCheckOptions withRecheckReadyEvery(Duration interval) {
    return new EndpointCheckOptions(controllerName, addresses, allowFiles, interval);
  }

  /**
   * The servers that the check may ask, with the Secrets of the controller's own namespace. They
   * are closed with the controller.
   *
   * @param controller not yet built
   */
  public HttpBackends backends(CheckController.Builder controller, CheckEnvironment environment) {
    SecretTexts secrets = SecretTexts.watchedBy(controller, environment.namespace());
    HttpBackends backends =
        allowFiles
            ? HttpBackends.withFiles(secrets, addresses)
            : HttpBackends.of(secrets, addresses);
    controller.whenClosed(backends::close);
    return backends;
  }
}
