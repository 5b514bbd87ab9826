// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.ExitStatus;
import io.github.kueue4j.cli.Logging;
import io.github.kueue4j.cli.UserError;
import io.github.kueue4j.e2e.cluster.ClusterUnavailable;
import io.github.kueue4j.e2e.cluster.TemporaryFolder;
import io.github.kueue4j.e2e.startup.AotTraining;
import io.github.kueue4j.e2e.startup.Distribution;
import io.github.kueue4j.e2e.startup.PackagedProgramException;
import io.github.kueue4j.e2e.startup.UnpackedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./kueue4j aot-cache}: makes packaged programs start faster. */
@Command(
    name = "aot-cache",
    description =
        "Has the core of a distribution or an image work off a small load, and writes the"
            + " ahead-of-time cache with which its Java starts faster and at less cost. It serves"
            + " that program on that Java only.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR})
final class AotCacheCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "PROGRAM",
      description = "the folder of a distribution, or the file of an image")
  private @Nullable Path program;

  @Option(
      names = "--java",
      paramLabel = "HOME",
      description = "the Java on which it will run (default: the one that runs this command)")
  private Path java = Path.of(System.getProperty("java.home"));

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description =
          "what to write; needed for an image (default: lib/kueue4j.aot of the distribution, where"
              + " its script looks for it)")
  private @Nullable Path output;

  @Override
  public Integer call() throws InterruptedException {
    Logging.quiet();
    Path given = Objects.requireNonNull(program);
    if (!Files.isExecutable(java.resolve("bin/java"))) {
      throw new UserError("there is no Java in --java=" + java + ": it has no bin/java");
    }
    try (TimeSource time = TimeSource.system();
        TemporaryFolder folder = TemporaryFolder.create("image")) {
      switch (MeasuredCore.packaged(given, folder.path())) {
        case Distribution distribution -> train(distribution, time);
        case UnpackedImage image -> train(image, time);
      }
    } catch (ClusterUnavailable | PackagedProgramException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
    return 0;
  }

  private void train(Distribution distribution, TimeSource time) throws InterruptedException {
    Path cache = output == null ? distribution.cache() : output;
    try {
      // Java can't use a cache and make one.
      Files.deleteIfExists(distribution.cache());
    } catch (IOException e) {
      throw new UserError("can't delete " + distribution.cache() + ": " + e.getMessage(), e);
    }
    write(AotTraining.of(distribution, java.toAbsolutePath(), time), cache);
  }

  private void train(UnpackedImage image, TimeSource time) throws InterruptedException {
    if (output == null) {
      throw new UserError("name the file to write for an image: --output=FILE");
    }
    if (image.javaOptions().contains("-XX:SharedArchiveFile=")) {
      throw new UserError("the image has a cache already: train one built without -Dimage.cache");
    }
    write(AotTraining.of(image, java.toAbsolutePath(), time), output);
  }

  private static void write(AotTraining training, Path cache) throws InterruptedException {
    System.err.println("training; it takes about a minute ...");
    training.writeTo(cache.toAbsolutePath());
    System.out.println(cache);
  }
}
