// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.startup;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.e2e.bench.LoadFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Java's ahead-of-time cache in the distribution: used if it fits, and never in the way. */
@Tag("landing")
class AotCacheTest {
  private static final Path JAVA = Path.of(System.getProperty("java.home"));

  /** Made without a load: which classes are in it is of no interest here, but for one test. */
  private static Path cache;

  @TempDir private Path folder;

  private Distribution distribution;

  private record Outcome(int status, String out, String err) {}

  @BeforeAll
  static void makeCache(@TempDir Path folder) throws Exception {
    Distribution packaged = new Distribution(Packaged.distribution());
    cache = folder.resolve("kueue4j.aot");
    Outcome outcome = run(packaged, folder, AotTraining.cacheOptions(JAVA, cache), "--version");
    assertThat(cache).as(outcome.toString()).exists();
  }

  @BeforeEach
  void copyDistribution() throws Exception {
    Path copy = folder.resolve("kueue4j");
    assertThat(
            new ProcessBuilder("cp", "-a", Packaged.distribution().toString(), copy.toString())
                .inheritIO()
                .start()
                .waitFor())
        .isZero();
    distribution = new Distribution(copy);
    Files.copy(cache, distribution.cache());
  }

  /** In another folder than the one in which it was made. */
  @Test
  void startsWithClassesOfItsCache() throws Exception {
    assertThat(classesFromCache("-Xshare:on")).contains("io.github.kueue4j.cli.Main");
  }

  @Test
  void startsWithoutOneThatWasMadeForOtherLibraries() throws Exception {
    try (Stream<Path> libraries = Files.list(distribution.folder().resolve("lib"))) {
      Path library =
          libraries
              .filter(each -> each.toString().contains("kueue4j-core"))
              .findAny()
              .orElseThrow();
      Files.setLastModifiedTime(library, FileTime.from(Instant.EPOCH));
    }

    assertStartsAndComplains();
  }

  @Test
  void startsWithoutOneThatIsDamaged() throws Exception {
    Files.writeString(
        distribution.cache(),
        "no cache",
        StandardOpenOption.WRITE,
        StandardOpenOption.TRUNCATE_EXISTING);

    assertStartsAndComplains();
  }

  /** What it prints is for other programs: nothing of Java's may be in it. */
  private void assertStartsAndComplains() throws Exception {
    Outcome outcome = run(distribution, folder, List.of(), "--version");

    assertThat(outcome.status()).as(outcome.err()).isZero();
    assertThat(outcome.out()).matches("kueue4j \\S+\\n");
    assertThat(outcome.err()).contains("[error");
  }

  /** A core that works off a load brings its classes into the cache. */
  @Test
  @Tag("nightly")
  void isTrainedByTheCore() throws Exception {
    Files.delete(distribution.cache());
    try (TimeSource time = TimeSource.system()) {
      AotTraining.of(distribution, JAVA, time)
          .with(
              LoadFile.parse(
                  """
                  cohorts:
                    - name: c
                      count: 1
                      queues:
                        - name: q
                          count: 1
                          nominalQuota: 2
                          workloads: [{name: w, count: 4, every: 1ms, cpu: 1, runtime: 1ms}]
                  """))
          .writeTo(distribution.cache());
    }

    assertThat(classesFromCache("-Xshare:on"))
        .contains(
            "io.github.kueue4j.core.KueueCore", "io.github.kueue4j.core.webhook.WebhookServer");
  }

  private List<String> classesFromCache(String... options) throws Exception {
    Path log = folder.resolve("classes");
    Outcome outcome =
        run(
            distribution,
            folder,
            Stream.concat(Stream.of(options), Stream.of("-Xlog:class+load:file=" + log)).toList(),
            "--version");
    assertThat(outcome.status()).as(outcome.toString()).isZero();
    try (Stream<String> lines = Files.lines(log)) {
      return lines
          .filter(line -> line.contains("shared objects file"))
          .map(line -> line.replaceAll("^(\\[.*])?\\s*(\\S+) source:.*", "$2"))
          .toList();
    }
  }

  private static Outcome run(
      Distribution distribution, Path folder, List<String> javaOptions, String... arguments)
      throws IOException, InterruptedException {
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    Process process =
        new ProcessBuilder(distribution.command(JAVA, javaOptions, List.of(arguments)))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    process.getOutputStream().close();
    return new Outcome(process.waitFor(), Files.readString(out), Files.readString(err));
  }
}
