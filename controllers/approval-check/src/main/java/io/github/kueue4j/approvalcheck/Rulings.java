// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.approvalcheck;

import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.approvalcheck.Standing.Ruling;
import io.github.kueue4j.sdk.objects.Watched;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Approvals by the Workload that they are about, each read once. One that can't be read is left out
 * and logged: it must not concern other Workloads, and the definition of the kind refuses it.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Rulings {
  private static final Logger log = LoggerFactory.getLogger(Rulings.class);

  /** The namespace is that of the Approval: a uid alone could be borrowed. */
  private record OneWorkload(@Nullable String namespace, @Nullable String uid) {}

  private final Map<ObjectKey, OneWorkload> subjects = new ConcurrentHashMap<>();
  private final Map<OneWorkload, Map<ObjectKey, Ruling>> rulings = new ConcurrentHashMap<>();

  private Rulings() {}

  /** The rulings of these Approvals. */
  public static Rulings of(Collection<CustomResource<ApprovalSpec>> approvals) {
    Rulings all = new Rulings();
    approvals.forEach(approval -> all.changed(ObjectKey.of(approval), Optional.of(approval)));
    return all;
  }

  /** The rulings of all Approvals that there are from now on. */
  static Rulings of(Watched<CustomResource<ApprovalSpec>> approvals) {
    Rulings all = new Rulings();
    approvals.onChange(key -> all.changed(key, approvals.get(key)));
    return all;
  }

  /** The Approval as far as it can be read. */
  static Optional<ApprovalSpec> spec(CustomResource<ApprovalSpec> approval) {
    try {
      return Optional.of(approval.spec());
    } catch (IllegalArgumentException e) {
      log.atWarn()
          .addKeyValue("approval", ObjectKey.of(approval))
          .addKeyValue("cause", e.getMessage())
          .log("Left out an Approval that can't be read");
      return Optional.empty();
    }
  }

  /** The decisions about this Workload, for all its checks, in no particular order. */
  Stream<Ruling> about(Workload workload) {
    return rulings
        .getOrDefault(
            new OneWorkload(workload.key().namespace(), workload.metadata().getUid()), Map.of())
        .values()
        .stream();
  }

  private void changed(ObjectKey key, Optional<CustomResource<ApprovalSpec>> now) {
    @Nullable Ruling ruling = now.flatMap(Ruling::of).orElse(null);
    @Nullable OneWorkload after =
        ruling == null ? null : new OneWorkload(key.namespace(), ruling.spec().workload().uid());
    @Nullable OneWorkload before = after == null ? subjects.remove(key) : subjects.put(key, after);
    if (after != null) {
      replace(after, key, ruling);
    }
    if (before != null && !before.equals(after)) {
      replace(before, key, null);
    }
  }

  /** The maps inside never change, so that they can be read meanwhile. */
  private void replace(OneWorkload subject, ObjectKey key, @Nullable Ruling now) {
    rulings.compute(
        subject,
        (same, before) -> {
          Map<ObjectKey, Ruling> after =
              new HashMap<>(Objects.requireNonNullElse(before, Map.of()));
          if (now == null) {
            after.remove(key);
          } else {
            after.put(key, now);
          }
          return after.isEmpty() ? null : Map.copyOf(after);
        });
  }
}
