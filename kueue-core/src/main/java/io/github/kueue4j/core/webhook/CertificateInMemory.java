// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.webhook;

import io.github.kueue4j.runtime.tls.ServingCertificates;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A certificate that lives only as long as this process. Confined to one thread. */
final class CertificateInMemory implements CertificateStore {
  private final List<String> hosts;
  private final RandomGenerator serials;
  private @Nullable ServingCertificates current;

  CertificateInMemory(List<String> hosts, RandomGenerator serials) {
    this.hosts = List.copyOf(hosts);
    this.serials = serials;
  }

  @Override
  public ServingCertificates at(Instant now) {
    ServingCertificates next =
        current == null
            ? ServingCertificates.issue(hosts, now, serials)
            : current.renewed(hosts, now, serials);
    current = next;
    return next;
  }
}
