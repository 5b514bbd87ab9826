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
package io.github.kueue4j.core.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * How a process was started, as far as its configuration depends on it.
 *
 * @param namespace what holds if the file doesn't name the namespace
 * @param featureGates of the command line, {@code name=true,other=false}; empty for none
 */
@API(status = API.Status.EXPERIMENTAL)
public record Launch(String namespace, String featureGates) {
  private static final String DEFAULT_NAMESPACE = "kueue-system";

  /** Where a pod finds the namespace of its service account. */
  private static final Path OF_THE_POD =
      Path.of("/var/run/secrets/kubernetes.io/serviceaccount/namespace");

  /** Outside of a cluster, without gates. */
  public static Launch plain() {
    return new Launch(DEFAULT_NAMESPACE, "");
  }

  /** In a pod its own namespace counts, elsewhere {@code kueue-system}. */
  public static Launch ofThisProcess(String featureGates) {
    return in(OF_THE_POD, featureGates);
  }

  static Launch in(Path namespaceFile, String featureGates) {
    try {
      String namespace =
          Files.isReadable(namespaceFile) ? Files.readString(namespaceFile).strip() : "";
      return new Launch(namespace.isEmpty() ? DEFAULT_NAMESPACE : namespace, featureGates);
    } catch (IOException | UncheckedIOException e) {
      throw new InvalidConfigurationException(
          namespaceFile + ": can't be read: " + e.getMessage() + "; set namespace in --config", e);
    }
  }
}
