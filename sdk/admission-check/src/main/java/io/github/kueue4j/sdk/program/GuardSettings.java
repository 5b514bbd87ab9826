// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.program;

import io.github.kueue4j.api.NearestName;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Guards;
import io.github.kueue4j.sdk.internal.DelayText;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * The settings by which operators change a check's {@link Guards} without touching its code: values
 * from a YAML file, from the environment, or from both.
 *
 * <pre>{@code
 * Guards guards =
 *     GuardSettings.file(Path.of("/etc/check/guards.yaml"))
 *         .overriddenBy(GuardSettings.environment(System.getenv()))
 *         .on(Guards.defaults());
 * }</pre>
 *
 * <p>The settings are named after the components of Guards: {@code timeout}, {@code
 * maxConcurrentEvaluations}, {@code maxEvaluationsPerSecond}, {@code errorBudget}, {@code
 * longestDelay}, and the mappings {@code circuitBreaker} ({@code window}, {@code minimum}, {@code
 * failureRate}, {@code openFor}), {@code errorBackoff} and {@code afterErrors} ({@code base},
 * {@code factor}, {@code max}, {@code jitter}), and {@code revocations} ({@code confirmAfter},
 * {@code most}, {@code window}). Durations read like {@code 1m30s}. In the environment {@code
 * errorBackoff.max} is {@code KUEUE4J_GUARDS_ERROR_BACKOFF_MAX}, and so on.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class GuardSettings {
  /** How the names of environment variables begin. */
  public static final String PREFIX = "KUEUE4J_GUARDS_";

  private record Value(String text, String place) {}

  private final Map<String, Value> values;

  private GuardSettings(Map<String, Value> values) {
    this.values = values;
  }

  /**
   * Reads a YAML file.
   *
   * @throws InvalidGuardSettingException if the file can't be read or has a key that doesn't exist
   */
  public static GuardSettings file(Path file) {
    try (Reader reader = Files.newBufferedReader(file)) {
      @Nullable Node root = new Yaml(new SafeConstructor(new LoaderOptions())).compose(reader);
      Map<String, Value> values = new TreeMap<>();
      if (root != null && !Tag.NULL.equals(root.getTag())) {
        collect(file.toString(), "", root, values);
      }
      return new GuardSettings(values);
    } catch (IOException e) {
      throw new InvalidGuardSettingException(
          "the file of guard settings can't be read; check that it exists and its permissions: "
              + e.getMessage(),
          e);
    } catch (MarkedYAMLException e) {
      throw new InvalidGuardSettingException(
          file
              + " line "
              + (e.getProblemMark() == null ? "?" : e.getProblemMark().getLine() + 1)
              + ": not valid YAML: "
              + e.getProblem(),
          e);
    } catch (YAMLException e) {
      throw new InvalidGuardSettingException(file + ": not valid YAML: " + e.getMessage(), e);
    }
  }

  private static void collect(String file, String path, Node node, Map<String, Value> into) {
    String place = file + " line " + (node.getStartMark().getLine() + 1);
    switch (node) {
      case MappingNode mapping -> {
        for (NodeTuple entry : mapping.getValue()) {
          String key = entry.getKeyNode() instanceof ScalarNode name ? name.getValue() : "?";
          String child = path.isEmpty() ? key : path + "." + key;
          String at = file + " line " + (entry.getKeyNode().getStartMark().getLine() + 1);
          if (Setting.ALL.stream()
              .noneMatch(one -> one.path().equals(child) || one.path().startsWith(child + "."))) {
            throw unknown(at, child, Setting.ALL.stream().map(Setting::path).toList());
          }
          collect(file, child, entry.getValueNode(), into);
        }
      }
      case ScalarNode scalar when Tag.NULL.equals(scalar.getTag()) -> {
        // As everywhere in the Kubernetes API: not set.
      }
      case ScalarNode scalar
          when Setting.ALL.stream().anyMatch(setting -> setting.path().equals(path)) -> {
        if (into.put(path, new Value(scalar.getValue(), place)) != null) {
          throw new InvalidGuardSettingException(
              place + ": " + path + " is given twice; remove one of them");
        }
      }
      default ->
          throw new InvalidGuardSettingException(
              place
                  + ": "
                  + (path.isEmpty() ? "the file" : path)
                  + (Setting.ALL.stream().anyMatch(setting -> setting.path().equals(path))
                      ? " must be a single value"
                      : " must be a mapping of keys to values"));
    }
  }

  /**
   * Takes the settings out of environment variables; others are ignored.
   *
   * @param variables such as {@code System.getenv()}
   * @throws InvalidGuardSettingException if the name of a variable begins with {@link #PREFIX} and
   *     names no setting
   */
  public static GuardSettings environment(Map<String, String> variables) {
    Map<String, Value> values = new TreeMap<>();
    variables.forEach(
        (variable, text) -> {
          if (variable.startsWith(PREFIX)) {
            Setting<?> setting =
                Setting.ALL.stream()
                    .filter(one -> one.variable().equals(variable))
                    .findFirst()
                    .orElseThrow(
                        () ->
                            unknown(
                                "environment",
                                variable,
                                Setting.ALL.stream().map(Setting::variable).toList()));
            values.put(setting.path(), new Value(text, "environment variable " + variable));
          }
        });
    return new GuardSettings(values);
  }

  /** These settings, replaced by {@code others} where those are set. */
  public GuardSettings overriddenBy(GuardSettings others) {
    Map<String, Value> both = new TreeMap<>(values);
    both.putAll(others.values);
    return new GuardSettings(both);
  }

  /**
   * The guards with these settings. Of a backoff that is set in part, the rest is that of {@link
   * Guards#defaults}; of revocations, that of the guards, or of {@link
   * Guards.RevocationLimits#defaults}.
   *
   * @throws InvalidGuardSettingException if a value is out of bounds
   */
  public Guards on(Guards guards) {
    Duration budget = get(Setting.ERROR_BUDGET).orElse(guards.errorBudget());
    @Nullable Duration longest = get(Setting.LONGEST_DELAY).orElse(guards.longestDelay());
    Optional<Duration> afterErrors = get(Setting.AFTER_ERRORS.max());
    if (longest != null && afterErrors.isPresent() && afterErrors.get().compareTo(longest) > 0) {
      throw above(Setting.AFTER_ERRORS.max(), afterErrors.get(), Setting.LONGEST_DELAY, longest);
    }
    return guards
        .withTimeout(get(Setting.TIMEOUT).orElse(guards.timeout()))
        .withMaxConcurrentEvaluations(
            get(Setting.MAX_CONCURRENT).orElse(guards.maxConcurrentEvaluations()))
        .withMaxEvaluationsPerSecond(
            get(Setting.MAX_PER_SECOND).orElse(guards.maxEvaluationsPerSecond()))
        .withCircuitBreaker(breaker(guards.circuitBreaker()))
        .withErrorPolicy(
            backoff(Setting.ERROR_BACKOFF, guards.errorBackoff(), Duration.ofSeconds(1), 1),
            budget,
            backoff(Setting.AFTER_ERRORS, guards.afterErrors(), Duration.ofSeconds(30), 30))
        .withLongestDelay(longest)
        .withRevocations(revocations(guards.revocations()));
  }

  private Guards.@Nullable RevocationLimits revocations(Guards.@Nullable RevocationLimits given) {
    Optional<Duration> confirmAfter = get(Setting.CONFIRM_AFTER);
    Optional<Integer> most = get(Setting.MOST_REVOCATIONS);
    Optional<Duration> window = get(Setting.REVOCATION_WINDOW);
    if (confirmAfter.isEmpty() && most.isEmpty() && window.isEmpty()) {
      return given;
    }
    Guards.RevocationLimits rest = given == null ? Guards.RevocationLimits.defaults() : given;
    return new Guards.RevocationLimits(
        confirmAfter.orElse(rest.confirmAfter()),
        most.orElse(rest.most()),
        window.orElse(rest.window()));
  }

  private Guards.CircuitBreaker breaker(Guards.CircuitBreaker given) {
    int window = get(Setting.WINDOW).orElse(given.window());
    int minimum = get(Setting.MINIMUM).orElse(given.minimum());
    if (minimum > window) {
      throw above(Setting.MINIMUM, minimum, Setting.WINDOW, window);
    }
    return new Guards.CircuitBreaker(
        window,
        minimum,
        get(Setting.FAILURE_RATE).orElse(given.failureRate()),
        get(Setting.OPEN_FOR).orElse(given.openFor()));
  }

  private Backoff backoff(
      Setting.BackoffSettings settings, Backoff given, Duration base, int maximumMinutes) {
    List<Setting<?>> parts =
        List.of(settings.base(), settings.factor(), settings.max(), settings.jitter());
    if (parts.stream().noneMatch(part -> values.containsKey(part.path()))) {
      return given;
    }
    Duration first = get(settings.base()).orElse(base);
    Duration max = get(settings.max()).orElse(Duration.ofMinutes(maximumMinutes));
    if (first.compareTo(max) > 0) {
      throw above(settings.base(), first, settings.max(), max);
    }
    return Backoff.exponential(first, get(settings.factor()).orElse(2.0))
        .atMost(max)
        .withJitter(get(settings.jitter()).orElse(0.2));
  }

  /** The error about two settings, one of which may be as it is without any. */
  private InvalidGuardSettingException above(
      Setting<?> low, Object lower, Setting<?> high, Object upper) {
    @Nullable Value value =
        Optional.ofNullable(values.get(low.path())).orElseGet(() -> values.get(high.path()));
    return new InvalidGuardSettingException(
        (value == null ? "guards" : value.place())
            + ": "
            + low.path()
            + " is "
            + shown(low, lower)
            + ", above "
            + high.path()
            + ", "
            + shown(high, upper)
            + "; lower the one or raise the other");
  }

  /** As it is written, if it is. */
  private String shown(Setting<?> setting, Object value) {
    @Nullable Value written = values.get(setting.path());
    if (written != null) {
      return written.text();
    }
    return value instanceof Duration duration ? DelayText.of(duration) : value.toString();
  }

  private <T> Optional<T> get(Setting<T> setting) {
    @Nullable Value value = values.get(setting.path());
    if (value == null) {
      return Optional.empty();
    }
    try {
      T read = setting.reader().apply(value.text().strip());
      if (setting.valid().test(read)) {
        return Optional.of(read);
      }
    } catch (IllegalArgumentException e) {
      throw invalid(setting, value, e);
    }
    throw invalid(setting, value, null);
  }

  private static InvalidGuardSettingException invalid(
      Setting<?> setting, Value value, @Nullable IllegalArgumentException cause) {
    String message =
        value.place()
            + ": "
            + setting.path()
            + " is \""
            + value.text()
            + "\"; write "
            + setting.remedy();
    return cause == null
        ? new InvalidGuardSettingException(message)
        : new InvalidGuardSettingException(message, cause);
  }

  private static InvalidGuardSettingException unknown(
      String place, String name, List<String> known) {
    return new InvalidGuardSettingException(
        place
            + ": "
            + name
            + " is not a guard setting"
            + NearestName.of(name, known)
                .map(nearest -> "; did you mean " + nearest + "?")
                .orElse("; known are " + String.join(", ", known)));
  }
}
