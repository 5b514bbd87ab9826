// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import com.google.gson.Gson;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.Launch;
import io.github.kueue4j.jobs.yaml.InvalidConfigurationException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option that names the core's configuration. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class ConfigOption {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Configuration of the core, config.kueue.x-k8s.io/v1beta2 or v1beta1 (default: an empty one)")
  private @Nullable Path file;

  @Option(
      names = "--feature-gates",
      paramLabel = "GATE=BOOL,...",
      description = "switches, such as PartialAdmission=false; not if the file sets some")
  private String featureGates = "";

  @Option(
      names = "--ignore-unsupported",
      description =
          "frameworks that only other implementations manage, and feature gates that are unknown, are left"
              + " out with a note (default: refused)")
  private boolean ignoreUnsupported;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  /** Whether there is a file. */
  public boolean isNamed() {
    return file != null;
  }

  /**
   * Reads it.
   *
   * @throws UserError with the file, the place in it and the remedy
   */
  public Configuration read() {
    try {
      Launch launch = Launch.ofThisProcess(featureGates).ignoringUnsupported(ignoreUnsupported);
      Configuration configuration =
          file == null ? Configuration.defaults(launch) : Configuration.load(file, launch);
      if (!configuration.unusedKeys().isEmpty()) {
        Objects.requireNonNull(command)
            .commandLine()
            .getErr()
            .println(
                "kueue4j: note: what has no effect in "
                    + Stream.of(
                            file == null ? "" : file.toString(),
                            featureGates.isBlank() ? "" : "--feature-gates")
                        .filter(place -> !place.isEmpty())
                        .collect(Collectors.joining(" and "))
                    + ": "
                    + String.join(", ", configuration.unusedKeys()));
      }
      return configuration;
    } catch (InvalidConfigurationException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * The content that {@link #read} has accepted, as one text for other commands: with the switches
   * of {@code --feature-gates}, and with webhooks where nothing is said of them.
   *
   * @param absent the text without a file
   * @return JSON, which is YAML, too; empty if the file can't be read a second time, as a pipe
   *     can't
   * @throws UserError if the file can't be read
   */
  public Optional<String> textWithWebhooks(String absent) {
    if (file != null && !Files.isRegularFile(file)) {
      return Optional.empty();
    }
    String written = file == null ? absent : TextFile.read(file);
    Map<String, Object> tree = new Yaml(new SafeConstructor(new LoaderOptions())).load(written);
    tree.putIfAbsent("webhook", Map.of());
    if (!featureGates.isBlank()) {
      // Both together are refused, so the file has none.
      Map<String, Boolean> gates = new TreeMap<>();
      for (String gate : featureGates.split(",", -1)) {
        String[] words = gate.split("=", 2);
        gates.put(words[0].strip(), Boolean.valueOf(words[1].strip()));
      }
      tree.put("featureGates", gates);
    }
    return Optional.of(new Gson().toJson(tree));
  }
}
