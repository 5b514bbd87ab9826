// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.sdk.BackendReport;
import io.github.kueue4j.sdk.BackendUnavailableException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A report that has no effect before a controller reads it. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ReachReport implements BackendReport {
  private final AtomicReference<@Nullable BackendReach> reach = new AtomicReference<>();

  /** From now on it is read. */
  void open(BackendReach reader) {
    reader.reportedByAuthor();
    reach.set(Objects.requireNonNull(reader));
  }

  @Override
  public void answered(String check) {
    @Nullable BackendReach reader = reach.get();
    if (reader != null) {
      reader.answered(check);
    }
  }

  @Override
  public void unavailable(String check, BackendUnavailableException cause) {
    @Nullable BackendReach reader = reach.get();
    if (reader != null) {
      reader.failed(check, cause);
    }
  }
}
