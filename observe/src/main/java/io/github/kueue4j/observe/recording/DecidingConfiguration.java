// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import com.google.gson.Gson;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.observe.explain.InstalledConfiguration;
import io.github.kueue4j.runtime.client.KubernetesApi;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** The blocks of a core's configuration that decide about quota, as a recording keeps them. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DecidingConfiguration {
  private static final List<String> BLOCKS =
      List.of(
          "apiVersion",
          "kind",
          "resources",
          "waitForPodsReady",
          "fairSharing",
          "admissionFairSharing",
          "featureGates",
          "integrations",
          "kueue4j");

  private DecidingConfiguration() {}

  /**
   * Reads them from the ConfigMap that the chart has installed.
   *
   * @return a configuration as JSON, which is YAML, too; empty if it can't be found or read
   */
  public static Optional<String> read(KubernetesApi api) {
    return InstalledConfiguration.text(api, Configuration.defaults())
        .flatMap(DecidingConfiguration::of);
  }

  /** The settings of a configuration as it is written; empty if that makes no sense. */
  static Optional<String> of(String text) {
    try {
      Object tree = new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
      if (tree instanceof Map<?, ?> blocks) {
        blocks.keySet().retainAll(BLOCKS);
        return Optional.of(new Gson().toJson(blocks));
      }
      return Optional.empty();
    } catch (YAMLException e) {
      return Optional.empty();
    }
  }
}
