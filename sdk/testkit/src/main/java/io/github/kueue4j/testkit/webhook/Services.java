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
package io.github.kueue4j.testkit.webhook;

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
