// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.install;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A Lease, deleted once it was released or has expired. A pod that is still ending renews the one
 * that it holds, and one that waits for it would make it anew: so it must stay away for a while.
 */
final class LeftLease implements Leftovers.Leftover {
  /** Longer than a candidate waits between two looks. */
  private static final Duration SETTLED = Duration.ofSeconds(3);

  private static final Duration USUAL_DURATION = Duration.ofSeconds(15);

  private final KubernetesApi api;
  private final ObjectKey key;
  private final Consumer<String> out;

  private @Nullable Sighting seen;
  private @Nullable Instant goneSince;
  private boolean deleted;
  private boolean told;

  /**
   * A state of the Lease, and when it was seen first: expiry counts from then, so that the clocks
   * of two machines needn't agree.
   */
  private record Sighting(String holder, @Nullable Object renewed, Duration lasts, Instant since) {
    static Sighting of(V1Lease lease, @Nullable Sighting before, Instant now) {
      V1LeaseSpec spec = lease.getSpec() == null ? new V1LeaseSpec() : lease.getSpec();
      Integer seconds = spec.getLeaseDurationSeconds();
      Sighting found =
          new Sighting(
              Objects.requireNonNullElse(spec.getHolderIdentity(), ""),
              spec.getRenewTime(),
              seconds == null ? USUAL_DURATION : Duration.ofSeconds(seconds),
              now);
      return before != null
              && before.holder.equals(found.holder)
              && Objects.equals(before.renewed, found.renewed)
          ? before
          : found;
    }

    boolean isFree(Instant now) {
      return holder.isEmpty() || !now.isBefore(since.plus(lasts));
    }
  }

  LeftLease(KubernetesApi api, ObjectKey key, Consumer<String> out) {
    this.api = api;
    this.key = key;
    this.out = out;
  }

  @Override
  public boolean removed(Instant now) {
    Optional<V1Lease> found = api.get(CoreTypes.LEASE, key);
    if (found.isEmpty()) {
      return isGone(now);
    }
    goneSince = null;
    seen = Sighting.of(found.get(), seen, now);
    if (seen.isFree(now)) {
      delete(found.get());
    } else if (!told) {
      told = true;
      out.accept(
          "Lease %s is held by %s: waiting until it is released or has expired"
              .formatted(key, seen.holder));
    }
    return false;
  }

  private boolean isGone(Instant now) {
    seen = null;
    if (goneSince == null) {
      goneSince = now;
    }
    if (now.isBefore(goneSince.plus(SETTLED))) {
      return false;
    }
    if (!deleted) {
      deleted = true;
      out.accept("Lease " + key + ": there is none");
    }
    return true;
  }

  /** The one that was seen; if it was taken meanwhile, the next look decides. */
  private void delete(V1Lease lease) {
    try {
      api.delete(
          CoreTypes.LEASE,
          key,
          DeleteOptions.background()
              .withUid(lease.getMetadata().getUid())
              .withResourceVersion(lease.getMetadata().getResourceVersion()));
      deleted = true;
      out.accept("Lease " + key + ": deleted");
    } catch (KubernetesApiException.Conflict e) {
      // Renewed or taken since it was read: its holder hasn't ended.
      deleted = false;
    }
  }

  @Override
  public String problem() {
    return seen == null
        ? "the Lease " + key + " was not seen to stay away, or the API server did not answer"
        : "the Lease "
            + key
            + " is held by "
            + seen.holder
            + ", which renews it: see whether that pod runs on";
  }
}
