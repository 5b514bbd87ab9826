// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.AdmissionCheckState;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one workload and one of its checks between evaluations. Wake-ups come from any
 * thread; everything else is changed only by the worker that reconciles the workload.
 */
final class CheckMemory {

  private final AtomicBoolean woken = new AtomicBoolean();
  private final AtomicReference<@Nullable Resolution<?>> newParameters = new AtomicReference<>();
  private volatile @Nullable Resolution<?> retriedBy;
  private volatile boolean cleanedUp;
  private volatile @Nullable Progress progress;
  private volatile DroppedDelays.@Nullable OwnDelay ownDelay;
  private volatile @Nullable AdmissionCheckState awaited;
  private volatile @Nullable ReadySubject readyAbout;

  /** What came of the last evaluation; null if there was none that still counts. */
  @Nullable Progress progress() {
    return progress;
  }

  /** Replaces what came of the last evaluation; null forgets it. */
  void progress(@Nullable Progress now) {
    progress = now;
  }

  /** Something that the check looks at has changed. */
  void wake() {
    keepWakeUp();
    // The change may have shown something that the check holds.
    mayHold();
  }

  /** Keeps a wake-up that was taken and led to no answer. */
  void keepWakeUp() {
    woken.set(true);
  }

  /** Whether the check was woken for this workload, and that was not taken yet. */
  boolean isWoken() {
    return woken.get();
  }

  /**
   * Spends a wake-up. Do so before looking at anything: a wake-up that comes later is about
   * something newer.
   *
   * @return whether there was one
   */
  boolean takeWakeUp() {
    return woken.getAndSet(false);
  }

  /**
   * The parameters of the check have changed to these. Nothing that the check may hold depends on
   * them.
   */
  void parametersChange(Resolution<?> changed) {
    newParameters.set(changed);
  }

  /**
   * The parameters that the check was last said to have changed to, until {@link
   * #settleParametersChange}. Read them before the parameters themselves: those are then at least
   * as new.
   */
  @Nullable Resolution<?> newParameters() {
    return newParameters.get();
  }

  /** Whether the Retry that the entry has, or is about to show, was given by these parameters. */
  boolean gaveRetry(Resolution<?> parameters) {
    @Nullable Resolution<?> by = retriedBy;
    return by != null && by.readsAs(parameters);
  }

  /** Forgets this change of the parameters, but none that came since. */
  void settleParametersChange(@Nullable Resolution<?> changed) {
    newParameters.compareAndSet(changed, null);
  }

  /** Remembers by which parameters a Retry was given; null: there is none any more. */
  void retriedBy(@Nullable Resolution<?> parameters) {
    retriedBy = parameters;
  }

  /** Remembers that the check has given up what it held for the workload. */
  void cleanedUp() {
    cleanedUp = true;
  }

  /** Whether the check has given up what it held for the workload. */
  boolean isCleanedUp() {
    return cleanedUp;
  }

  /** The check may hold something for the workload again. */
  void mayHold() {
    cleanedUp = false;
  }

  /** The delay before whose end the check must not send the workload back; null if it may. */
  DroppedDelays.@Nullable OwnDelay ownDelay() {
    return ownDelay;
  }

  /** Remembers that the check must not send the workload back again before this delay is over. */
  void ownDelay(DroppedDelays.OwnDelay delay) {
    ownDelay = delay;
  }

  /** The entry as the server was last known to have it, until the informer has shown that. */
  @Nullable AdmissionCheckState awaited() {
    return awaited;
  }

  /** The informer shows this entry. */
  void shown(AdmissionCheckState entry) {
    if (entry.equals(awaited)) {
      awaited = null;
    }
  }

  /** Remembers how the server has the entry; null: the informer has shown it. */
  void await(@Nullable AdmissionCheckState entry) {
    awaited = entry;
  }

  /** What the Ready that the entry has, or is about to show, was about; null: not known. */
  @Nullable ReadySubject readyAbout() {
    return readyAbout;
  }

  /** Remembers what a Ready was about; null: there is none any more. */
  void readyAbout(@Nullable ReadySubject subject) {
    readyAbout = subject;
  }

  /** Whether nothing is remembered, so that this object need not be kept. */
  boolean isBlank() {
    return progress == null
        && !woken.get()
        && newParameters.get() == null
        && retriedBy == null
        && !cleanedUp
        && ownDelay == null
        && awaited == null
        && readyAbout == null;
  }
}
