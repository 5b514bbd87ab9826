// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import io.github.kueue4j.runtime.controller.ControllerHost;
import io.github.kueue4j.runtime.controller.HostRest;
import io.github.kueue4j.runtime.informer.InformersRest;
import io.micrometer.core.instrument.Counter;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;

/**
 * Whether a core has come to rest: it has heard of everything on the server, and nothing of that
 * makes it do anything. No silence proves that: on a slow machine a core is silent, too, while it
 * has yet to hear or to think.
 */
public final class CoreRest {
  private final KueueCore core;
  private final InformersRest informers;
  private final LongSupplier requests;

  /**
   * Of one core.
   *
   * @param requests counts what cores have asked of the server so far
   */
  public CoreRest(KueueCore core, InformersRest informers, LongSupplier requests) {
    this.core = core;
    this.informers = informers;
    this.requests = requests;
  }

  /**
   * Checks once whether the core is at rest.
   *
   * @param silenced plural names of types whose watches tell nothing
   */
  public boolean now(Set<String> silenced) {
    CoreAssembly assembly = core.assembly();
    ControllerHost host = assembly.host();
    boolean working = host.leading();
    long requestsBefore = requests.getAsLong();
    double reconcilesBefore = reconciles(host);
    try {
      if (!HostRest.heardEverything(host, informers, silenced)) {
        return false;
      }
      // What was heard is applied first, and only then does the scheduler have its turn.
      assembly.loop().catchUp();
      if (!assembly.loop().rests().get()) {
        return false;
      }
    } catch (CancellationException closed) {
      return true;
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException("the core's scheduler does not answer", e);
    }
    // A worker that was busy before has been counted since, or is still busy.
    return !working
        || (HostRest.nothingToDo(host)
            && reconciles(host) == reconcilesBefore
            && requests.getAsLong() == requestsBefore);
  }

  private static double reconciles(ControllerHost host) {
    return host.meters().find("controller.runtime.reconcile").counters().stream()
        .mapToDouble(Counter::count)
        .sum();
  }
}
