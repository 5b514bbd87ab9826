/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.webhook;

import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A certificate that ends with this process. Belongs to one thread. */
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
