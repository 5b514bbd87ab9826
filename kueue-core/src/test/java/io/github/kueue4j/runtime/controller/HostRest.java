// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import io.github.kueue4j.runtime.informer.InformersRest;
import java.util.Set;

/** What a host has heard of, and what it still has to do, for tests that wait for it. */
public final class HostRest {

  private HostRest() {}

  /**
   * Whether every cache shows what the server has now, and every listener was told.
   *
   * @param silenced plural names of types whose watches tell nothing; these are left out
   */
  public static boolean heardEverything(
      ControllerHost host, InformersRest rest, Set<String> silenced) {
    return host.run().informers().stream().allMatch(group -> rest.heardEverything(group, silenced));
  }

  /** Whether no object waits for a worker, and no worker has one. */
  public static boolean nothingToDo(ControllerHost host) {
    return host.run().rests();
  }
}
