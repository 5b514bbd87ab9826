// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import java.time.Duration;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * How a check runs whose parameters name an endpoint.
 *
 * @param controllerName what AdmissionChecks name as their controller
 * @param addresses which addresses endpoints may have
 * @param allowFiles whether endpoints may name files of the controller's container, such as tokens;
 *     an author of an endpoint can then have such a file sent to a server
 * @param recheckReadyEvery how often Workloads are asked about again that were let through, where
 *     their parameters have {@code recheckReady}; positive
 * @param secretsNamespace where the Secrets lie that endpoints name; absent: the controller's own
 *     namespace
 * @see HttpBackends
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record EndpointCheckOptions(
    String controllerName,
    AddressRules addresses,
    boolean allowFiles,
    Duration recheckReadyEvery,
    @Nullable String secretsNamespace) {

  /** The usual addresses, no files, and Secrets of the controller's own namespace. */
  public static EndpointCheckOptions of(String controllerName, Duration recheckReadyEvery) {
    return new EndpointCheckOptions(
        controllerName, AddressRules.defaults(), false, recheckReadyEvery, null);
  }

  /** The same with other rules for addresses. */
  public EndpointCheckOptions withAddresses(AddressRules rules) {
    return new EndpointCheckOptions(
        controllerName, rules, allowFiles, recheckReadyEvery, secretsNamespace);
  }

  /** The same with another interval of rechecks, positive. */
  public EndpointCheckOptions withRecheckReadyEvery(Duration interval) {
    return new EndpointCheckOptions(
        controllerName, addresses, allowFiles, interval, secretsNamespace);
  }

  /** The same with Secrets of another namespace than the controller's own. */
  public EndpointCheckOptions withSecretsOf(String namespace) {
    return new EndpointCheckOptions(
        controllerName, addresses, allowFiles, recheckReadyEvery, namespace);
  }

  /**
   * The servers that the check may ask, with the Secrets that the controller may read. They are
   * closed with the controller.
   *
   * @param controller not yet built
   */
  public HttpBackends backends(CheckController.Builder controller, CheckEnvironment environment) {
    SecretTexts secrets =
        SecretTexts.readBy(
            controller, secretsNamespace == null ? environment.namespace() : secretsNamespace);
    HttpBackends backends =
        allowFiles
            ? HttpBackends.withFiles(secrets, addresses)
            : HttpBackends.of(secrets, addresses);
    controller.whenClosed(backends::close);
    return backends;
  }
}
