// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.observe.explain.DurationText;
import io.github.kueue4j.observe.recording.DecidingConfiguration;
import io.github.kueue4j.observe.recording.Recorder;
import io.github.kueue4j.observe.recording.RecordingWriter;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.informer.InitialSyncTimeoutException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kueue4j record FILE}: what decides about quota, and what becomes of Workloads. */
@Command(
    name = "record",
    description =
        "Records queues, quota and what becomes of Workloads, until Ctrl-C, for replay. Only reads,"
            + " and works beside any core. The file has no environment, arguments, volumes or"
            + " messages; names of objects, queues and namespaces are in it.",
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR, ExitStatus.ENDED_BY_SIGINT})
final class RecordCommand implements Callable<Integer> {
  private static final long MEBIBYTE = 1024 * 1024;

  /** How much is lost at most if the process is killed. */
  private static final Duration FLUSH = Duration.ofSeconds(10);

  @Parameters(
      paramLabel = "FILE",
      description = "the file to write, such as week.jsonl.gz; must not exist yet")
  private Path file = Path.of("");

  @Option(
      names = "--for",
      paramLabel = "TIME",
      converter = Converters.PositiveDuration.class,
      description = "end after this time, such as 168h (default: at Ctrl-C)")
  private @Nullable Duration length;

  @Option(
      names = "--max-size",
      paramLabel = "MIB",
      description = "end when the file has so many MiB (default: ${DEFAULT-VALUE})")
  private int maximum = 256;

  @Mixin private KueueCluster cluster = new KueueCluster();

  @Override
  public Integer call() throws InterruptedException {
    if (maximum < 1) {
      throw new UserError("--max-size must be at least 1, but is " + maximum);
    }
    return cluster.use(
        "record needs to list and watch queues, flavors, checks, Cohorts, Namespaces and Workloads",
        (connection, out) -> {
          try (Interruption interruption = Interruption.listen()) {
            record(connection, out, interruption, TimeSource.wallClock());
          }
          return 0;
        });
  }

  private void record(
      ClusterConnection connection, PrintWriter out, Interruption interruption, InstantSource clock)
      throws InterruptedException {
    Instant from = clock.instant();
    Optional<String> configuration = DecidingConfiguration.read(connection.api());
    boolean begun = false;
    OutputStream created = created();
    try (RecordingWriter writer =
        new RecordingWriter(created, maximum * MEBIBYTE, from, configuration)) {
      try (Recorder recorder =
          Recorder.start(
              connection, writer, from, clock, () -> interruption.ask("nothing more fits"))) {
        begun = true;
        recorder.unread().forEach(type -> cluster.note(type + " may not be read and are left out"));
        if (configuration.isEmpty()) {
          cluster.note("the core's configuration can't be read; give it to replay with --config");
        }
        out.println("Recording to " + file + "; Ctrl-C ends it");
        out.flush();
        String end = await(interruption, writer);
        recorder.check();
        writer.end(clock.instant(), end);
      }
      out.println(
          "%s: %d changes in %s, %d KiB; %s"
              .formatted(
                  file,
                  writer.changes(),
                  DurationText.words(Duration.between(from, clock.instant())),
                  writer.bytes() / 1024,
                  writer.ended().orElse("")));
    } catch (InitialSyncTimeoutException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    } catch (UncheckedIOException e) {
      throw new UserError(file + " can't be written: " + e.getMessage(), e);
    } finally {
      if (!begun) {
        file.toFile().delete();
      }
    }
  }

  /** Waits for the end, and says why it is there. */
  private String await(Interruption interruption, RecordingWriter writer)
      throws InterruptedException {
    Duration left = length;
    while (true) {
      Duration step = left == null || left.compareTo(FLUSH) > 0 ? FLUSH : left;
      if (interruption.await(step)) {
        return "it was interrupted";
      }
      writer.flush();
      left = left == null ? null : left.minus(step);
      if (left != null && !left.isPositive()) {
        return "the time of --for is over";
      }
    }
  }

  /** A new file, readable for its owner only where the file system can say so. */
  private OutputStream created() {
    FileAttribute<?>[] mode =
        file.getFileSystem().supportedFileAttributeViews().contains("posix")
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];
    try {
      Files.createFile(file, mode);
      return new BufferedOutputStream(Files.newOutputStream(file, StandardOpenOption.WRITE));
    } catch (FileAlreadyExistsException e) {
      throw new UserError(file + " exists already; name another file", e);
    } catch (IOException e) {
      throw new UserError(
          file + " can't be written: " + e + "; name a file in a folder that can be written to", e);
    }
  }
}
