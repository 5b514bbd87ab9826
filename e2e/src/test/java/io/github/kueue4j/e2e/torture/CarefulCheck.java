// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.torture;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.Actors;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A check of the SDK. It answers a third of the Workloads with Retry once or twice, and lets them
 * through then.
 */
public final class CarefulCheck implements Storm.Part {
  static final String NAME = "careful";
  static final String CONTROLLER = "example.com/careful";

  private final ClusterConnection connection;
  private final CheckController controller;

  private CarefulCheck(ClusterConnection connection, TimeSource time) {
    this.connection = connection;
    this.controller =
        CheckController.builder(
                CONTROLLER,
                CheckEnvironment.of(connection, time)
                    .withHosting(host -> host.gracePeriod(Duration.ofSeconds(2))))
            .check(CarefulCheck::evaluate)
            .build();
  }

  private static Verdict evaluate(Evaluation<?> evaluation) {
    int hash = Math.floorMod(evaluation.key().hashCode(), 6);
    return evaluation.attempt() < hash - 3
        ? Verdict.retry(
            Reason.of("NotYet"),
            "Not yet.",
            hash == 5 ? Delay.none() : Delay.exactly(Duration.ofSeconds(hash)))
        : Verdict.ready("Now.");
  }

  /** Starts it in this process. */
  static CarefulCheck start(Target target, TimeSource time) throws InterruptedException {
    CarefulCheck check = new CarefulCheck(target.connect(NAME), time);
    check.controller.start();
    return check;
  }

  /**
   * The main class of a process of its own; it runs until it is killed, or its parent is gone.
   *
   * @param arguments the path of a kubeconfig
   */
  public static void main(String[] arguments) throws InterruptedException {
    Actors.onPlatformThreads("parent").start(CarefulCheck::endWithParent);
    ClusterConnection connection = Target.of(Path.of(arguments[0])).connect(NAME);
    new CarefulCheck(connection, TimeSource.system()).controller.run();
  }

  /** The parent's end of the input is closed with the parent. */
  private static void endWithParent() {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException gone) {
      System.err.println("the parent is gone: " + gone);
    }
    System.exit(1);
  }

  @Override
  public void kill() {
    close();
  }

  @Override
  public void close() {
    controller.close();
    connection.close();
  }
}
