// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.webhook;

import io.github.kueue4j.runtime.tls.InvalidCertificateException;
import io.github.kueue4j.runtime.tls.ServingCertificates;
import java.time.Instant;

/** A store of a server's certificates. */
interface CertificateStore {
  /**
   * The certificates to serve now; some stores create and renew them.
   *
   * @throws InvalidCertificateException if there are none or they are invalid; the message names
   *     the location and the remedy
   * @throws io.github.kueue4j.runtime.client.KubernetesApiException if a request to the API server
   *     fails
   */
  ServingCertificates at(Instant now);
}
