// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import io.github.kueue4j.api.ObjectKey;
import io.kubernetes.client.openapi.models.V1Secret;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Secrets that were read a moment ago aren't read again: a queue of a thousand Workloads, each
 * asked about with a token and a client certificate, would read as many Secrets as it sends
 * requests. A Secret that is missing or may not be read is asked for each time.
 */
final class RecentSecrets implements SecretTexts.Source {
  private static final Duration KEPT = Duration.ofSeconds(1);

  private final SecretTexts.Source source;
  private final LongSupplier nanos;
  private final Map<ObjectKey, Read> recent = new ConcurrentHashMap<>();

  /** A Secret, and when it was asked for. */
  private record Read(V1Secret secret, long at) {}

  /**
   * None read yet.
   *
   * @param nanos a monotonic clock
   */
  RecentSecrets(SecretTexts.Source source, LongSupplier nanos) {
    this.source = source;
    this.nanos = nanos;
  }

  @Override
  public Optional<V1Secret> secret(ObjectKey key) {
    long now = nanos.getAsLong();
    // So that no Secret stays in memory that isn't used any more.
    recent.values().removeIf(read -> now - read.at() >= KEPT.toNanos());
    Read known = recent.get(key);
    if (known != null) {
      return Optional.of(known.secret());
    }
    Optional<V1Secret> found = source.secret(key);
    found.ifPresent(secret -> recent.put(key, new Read(secret, now)));
    return found;
  }
}
