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
package io.github.kueue4j.e2e.cli;

import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.InvalidConfigurationException;
import io.github.kueue4j.core.config.Launch;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names the core's configuration. */
final class ConfigOption {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Configuration of the core (config.kueue.x-k8s.io/v1beta2 or v1beta1); default: defaults")
  private @Nullable Path file;

  @Option(
      names = "--feature-gates",
      paramLabel = "GATE=BOOL,...",
      description = "switches, such as PartialAdmission=false; not if the file sets some")
  private String featureGates = "";

  /**
   * Reads it.
   *
   * @throws UserError with the file, the place in it and the remedy
   */
  Configuration read() {
    try {
      Launch launch = Launch.ofThisProcess(featureGates);
      Configuration configuration =
          file == null ? Configuration.defaults(launch) : Configuration.load(file, launch);
      if (!configuration.unusedKeys().isEmpty()) {
        System.err.println(
            "kueue4j: note: nothing acts yet on these keys of "
                + file
                + ": "
                + String.join(", ", configuration.unusedKeys()));
      }
      return configuration;
    } catch (InvalidConfigurationException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }
}
