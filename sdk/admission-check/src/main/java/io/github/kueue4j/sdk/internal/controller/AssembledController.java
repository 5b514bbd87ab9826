// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.runtime.Termination;
import io.github.kueue4j.runtime.controller.ControllerHost;
import io.github.kueue4j.runtime.http.HttpPortException;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.objects.KindNotServedException;
import io.github.kueue4j.sdk.rbac.MissingRightsException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A controller whose parts are put together. */
final class AssembledController implements CheckController {

  private final String controllerName;
  private final ControllerHost host;
  private final WakeUps wakeUps;
  private final FatalErrors fatalErrors;
  private final Runnable rights;
  private final @Nullable DryEvaluationServer answers;
  private final List<Runnable> afterwards;

  AssembledController(
      String controllerName,
      ControllerHost host,
      WakeUps wakeUps,
      FatalErrors fatalErrors,
      Runnable rights,
      @Nullable DryEvaluationServer answers,
      List<Runnable> afterwards) {
    this.controllerName = controllerName;
    this.host = host;
    this.wakeUps = wakeUps;
    this.fatalErrors = fatalErrors;
    this.rights = rights;
    this.answers = answers;
    this.afterwards = List.copyOf(afterwards);
  }

  @Override
  public void start() throws InterruptedException {
    try {
      rights.run();
    } catch (KindNotServedException | MissingRightsException e) {
      close();
      throw e;
    }
    host.start();
    if (answers != null) {
      try {
        answers.start();
      } catch (HttpPortException e) {
        close();
        throw e;
      }
    }
  }

  @Override
  public void run() throws InterruptedException {
    start();
    host.awaitTermination();
  }

  @Override
  public Ending runUntilTerminated() throws InterruptedException {
    return runUntilTerminated(() -> {});
  }

  @Override
  public Ending runUntilTerminated(Runnable onStarted) throws InterruptedException {
    try (Termination termination = Termination.listen(this::close, fatalErrors)) {
      try {
        start();
        onStarted.run();
      } catch (RuntimeException e) {
        if (!termination.asked()) {
          throw e;
        }
        // Closed while it started.
      }
      host.awaitTermination();
      if (termination.asked()) {
        return Ending.SIGNAL;
      }
      return host.lostLease() ? Ending.LEASE_LOST : CheckController.Ending.CLOSED;
    }
  }

  @Override
  public void wakeAll() {
    wakeUps.all();
  }

  @Override
  public void wake(ObjectKey workload) {
    wakeUps.workload(workload);
  }

  @Override
  public ControllerHost host() {
    return host;
  }

  @Override
  public String controllerName() {
    return controllerName;
  }

  @Override
  public int answersPort() {
    return answers == null ? -1 : answers.port();
  }

  @Override
  public void close() {
    if (answers != null) {
      answers.close();
    }
    host.close();
    afterwards.forEach(Runnable::run);
  }

  WakeUps wakeUps() {
    return wakeUps;
  }
}
