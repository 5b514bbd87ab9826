// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.http.AddressRules;
import io.github.kueue4j.http.HttpBackends;
import io.github.kueue4j.http.SecretTexts;
import java.time.Duration;
import org.apiguardian.api.API;

/**
 * How the GPU check runs.
 *
 * @param controllerName what AdmissionChecks name as their controller
 * @param withoutParameters the policy of AdmissionChecks that name none
 * @param recheckEvery how often workloads that were let through are looked at again, where a policy
 *     evicts from lost nodes; positive
 * @param addresses which addresses a capacity source may have
 * @param allowFiles whether a capacity source may name files of the controller's container, such as
 *     tokens; the author of a policy can then have such a file sent to a server
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record GpuOptions(
    String controllerName,
    GpuPolicy withoutParameters,
    Duration recheckEvery,
    AddressRules addresses,
    boolean allowFiles) {

  /** {@code kueue4j.io/gpu-availability}, {@link GpuPolicy#defaults}, 30 s, the usual addresses. */
  public static GpuOptions defaults() {
    return new GpuOptions(
        "kueue4j.io/gpu-availability",
        GpuPolicy.defaults(),
        Duration.ofSeconds(30),
        AddressRules.defaults(),
        false);
  }

  /** The same with other rules for addresses. */
  public GpuOptions withAddresses(AddressRules rules) {
    return new GpuOptions(controllerName, withoutParameters, recheckEvery, rules, allowFiles);
  }

  HttpBackends backends() {
    // Without the right to read Secrets: tokens are mounted into the pod.
    return allowFiles
        ? HttpBackends.withFiles(SecretTexts.none(), addresses)
        : HttpBackends.of(SecretTexts.none(), addresses);
  }
}
