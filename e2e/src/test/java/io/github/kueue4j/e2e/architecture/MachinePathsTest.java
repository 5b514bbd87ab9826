// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What a class does must not depend on the files of the machine on which it happens to run, or its
 * tests pass on one machine and fail on the next. A fixed path is a named default that the caller
 * can replace; each is listed here with what replaces it.
 */
class MachinePathsTest {
  private static final Pattern ABSOLUTE_PATH =
      Pattern.compile("\"(/(?:bin|dev|etc|home|mnt|opt|proc|root|run|sys|tmp|usr|var)/[^\"]*)\"");

  private static final Map<String, String> DEFAULTS =
      Map.of(
          "Launch.java /etc/kueue/metrics/certs",
          "Launch.withMetricsCertificates",
          "Launch.java /var/run/secrets/kubernetes.io/serviceaccount/namespace",
          "Launch.in",
          "Endpoint.java /var/run/secrets/kubernetes.io/serviceaccount",
          "Endpoint.inCluster",
          "WebhookSettings.java /tmp/k8s-webhook-server/serving-certs",
          "webhook.certDir of the configuration",
          "ControllingTerminal.java /dev/tty",
          "nothing: the terminal of the process, whatever it is; without one a size is assumed",
          "CoreProcess.java /proc/",
          "nothing: the benchmark measures its own child process, and measures nothing elsewhere",
          "MemoryGroup.java /sys/fs/cgroup",
          "nothing: without it the soak limits the memory by an option of Java",
          "Defaults.java /dev/termination-log",
          "nothing: a default that the API server writes into objects, no path of this machine");

  @Test
  void everyAbsolutePathIsADefaultThatCanBeReplaced() throws IOException {
    Map<String, Path> found = new TreeMap<>();
    for (Path file : Sources.in("src/main/java")) {
      for (String path :
          ABSOLUTE_PATH
              .matcher(withoutComments(file))
              .results()
              .map((MatchResult match) -> match.group(1))
              .collect(Collectors.toSet())) {
        found.put(file.getFileName() + " " + path, file);
      }
    }

    assertThat(found.keySet()).containsExactlyInAnyOrderElementsOf(DEFAULTS.keySet());
  }

  private static String withoutComments(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .filter(line -> !line.strip().startsWith("*") && !line.strip().startsWith("//"))
        .collect(Collectors.joining("\n"));
  }
}
