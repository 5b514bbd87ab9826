// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.report;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import org.apiguardian.api.API;

/**
 * The build and the platform that run, as the labels of a single series.
 *
 * @param version of kueue4j
 * @param commit that it was built from; {@code unknown} if the build didn't know it
 * @param date when it was built; {@code unknown} if the build didn't know it
 * @param java version of the virtual machine
 * @param platform operating system and architecture
 */
@API(status = API.Status.INTERNAL)
public record BuildInfo(String version, String commit, String date, String java, String platform)
    implements Collector {
  private static final String METRIC = "kueue.build.info";

  /** Reads the build's properties from the jar, and the platform's from the virtual machine. */
  public static BuildInfo read() {
    Properties build = new Properties();
    try (InputStream in = BuildInfo.class.getResourceAsStream("build.properties")) {
      build.load(Objects.requireNonNull(in, "build.properties is missing in the jar"));
    } catch (IOException e) {
      throw new UncheckedIOException("build.properties of kueue4j can't be read", e);
    }
    return new BuildInfo(
        build.getProperty("version"),
        build.getProperty("commit"),
        build.getProperty("date"),
        Runtime.version().toString(),
        System.getProperty("os.name").toLowerCase(Locale.ROOT)
            + "/"
            + System.getProperty("os.arch"));
  }

  @Override
  public MetricSnapshot collect() {
    // The registry adds the suffix.
    return InfoSnapshot.builder()
        .name(METRIC.substring(0, METRIC.lastIndexOf('.')).replace('.', '_'))
        .help("Which build of kueue4j runs")
        .dataPoint(
            InfoDataPointSnapshot.builder()
                .labels(
                    Labels.of(
                        "build_date", date,
                        "compiler", "javac",
                        "git_commit", commit,
                        "git_version", version,
                        "java_version", java,
                        "platform", platform))
                .build())
        .build();
  }
}
