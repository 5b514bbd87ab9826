// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.webhook;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;

/** Where services that webhooks name are really: ports of the loopback address. Thread-safe. */
@API(status = API.Status.INTERNAL)
public final class Services {
  private record Name(String namespace, String name) {}

  private final Map<Name, Integer> ports = new ConcurrentHashMap<>();

  /** Sends what is meant for a service to this port of loopback from now on. */
  public void route(String namespace, String name, int localPort) {
    ports.put(new Name(namespace, name), localPort);
  }

  Optional<Integer> portOf(String namespace, String name) {
    return Optional.ofNullable(ports.get(new Name(namespace, name)));
  }
}
