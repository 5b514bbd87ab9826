// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.demo;

import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.core.config.ViewSettings;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.e2e.assembly.WindableTime;
import io.github.kueue4j.e2e.objects.Manifests;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.function.BooleanSupplier;
import org.apiguardian.api.API;

/** The demo as a whole: a playground in scaled time, the examples, a screen, a summary. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class DemoRun {
  private static final Instant MONDAY = Instant.parse("2026-03-02T00:00:00Z");

  /** A Sunday evening: a new day and a new week begin soon. */
  private static final Instant START = MONDAY.minus(Duration.ofMinutes(150));

  /** Six simulated minutes a second: midnight comes after 25 s. */
  private static final double FACTOR = 360;

  private static final Duration JOB_RUNTIME = Duration.ofMinutes(10);

  /** It takes half a minute, and several times that on a machine with much else to do. */
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private static final Demo.Chaos CHAOS =
      new Demo.Chaos(Duration.ofMinutes(5), Duration.ofMinutes(20));

  private DemoRun() {}

  /**
   * How the demo presents itself.
   *
   * @param examples the folder with the manifests
   * @param chaos whether the core is killed and restarted midway
   * @param verbose whether to print what the server was asked by each client
   * @param live whether to draw a table in place rather than to print changes
   * @param width characters per line of a live table
   * @param height lines of the terminal
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
  public record DemoOptions(
      Path examples, boolean chaos, boolean verbose, boolean live, int width, int height) {}

  /**
   * Runs to the end.
   *
   * @param cancelled asked now and then whether to give up
   * @return whether every step of the story was seen and every Job succeeded
   * @throws InterruptedException if the thread is interrupted
   */
  public static boolean run(DemoOptions demoOptions, PrintStream out, BooleanSupplier cancelled)
      throws InterruptedException {
    out.println(
        "kueue4j demo: %s/*.yaml on an embedded API server; one second is %s of simulated time"
            .formatted(
                demoOptions.examples().getFileName(),
                Durations.brief(Duration.ofSeconds((long) FACTOR))));
    try (WindableTime time = new WindableTime(START);
        PlayedServers servers = new PlayedServers(time, MONDAY);
        Playground playground =
            Playground.start(
                new Playground.Options(
                    0,
                    Playground.quietConfiguration()
                        .withFrameworks(Playground.FRAMEWORKS)
                        .withView(ViewSettings.onLoopback(0)),
                    EnumSet.allOf(CheckName.class),
                    JOB_RUNTIME),
                time)) {
      playground
          .viewAddress()
          .ifPresent(address -> out.println("queues and workloads in a browser: " + address));
      Manifests manifests = Manifests.load(demoOptions.examples(), servers::inPlaceOfThoseNamedIn);
      out.println(
          "The Prometheus and the licence server that two checks ask are played by this process, at "
              + servers.address()
              + ": real ones don't know the simulated time");
      Screen screen =
          demoOptions.live()
              ? new LiveTable(out, demoOptions.width(), demoOptions.height(), System.getenv())
              : new ChangeLog(out);
      Summary summary =
          new Demo(
                  playground,
                  time,
                  screen,
                  demoOptions.chaos() ? CHAOS : Demo.Chaos.NONE,
                  Story.ofTheExamples(MONDAY))
              .run(manifests, () -> time.wind(FACTOR), LIMIT, cancelled);
      summary.print(out, demoOptions.verbose());
      return summary.succeeded();
    }
  }
}
