// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.PlantedLeak;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Group;
import net.jqwik.api.Property;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** What a class of tests leaves behind fails that class. */
@ResourceLock("jqwik") // It runs once at a time, also where a run has no properties.
class LeaksTest {
  /** What the offenders left, which has to end here. */
  private static final List<AutoCloseable> LEFT = new ArrayList<>();

  @AfterEach
  void endWhatTheyLeft() throws Exception {
    for (AutoCloseable left : LEFT) {
      left.close();
    }
    LEFT.clear();
  }

  /** Until it waits, what it is doing can't be told. */
  private static void awaitWaiting(Act<?> act) {
    await().until(act::isWaiting);
  }

  /** Leaves a virtual thread. */
  @PlantedLeak
  static class LeavesThread {
    @Test
    void test() {
      CountDownLatch end = new CountDownLatch(1);
      Actors actors = Actors.named("forgotten");
      awaitWaiting(actors.start(end::await));
      LEFT.add(actors);
    }
  }

  @Test
  void aVirtualThread() {
    assertThat(failures(LeavesThread.class))
        .singleElement()
        .asString()
        .contains(
            LeavesThread.class.getName() + " left behind:",
            "thread 'forgotten-1' (WAITING at ",
            "LeaksTest$LeavesThread.test(LeaksTest.java:");
  }

  /** Leaves a thread of the platform, from a class within. */
  @PlantedLeak
  static class LeavesThreadOfThePlatform {
    @Nested
    class Within {
      @Test
      void test() {
        CountDownLatch end = new CountDownLatch(1);
        Actors actors = Actors.onPlatformThreads("old-style");
        awaitWaiting(actors.start(end::await));
        LEFT.add(actors);
      }
    }
  }

  @Test
  void aThreadOfThePlatform() {
    assertThat(failures(LeavesThreadOfThePlatform.class))
        .singleElement()
        .asString()
        .contains(
            LeavesThreadOfThePlatform.class.getName() + " left behind:",
            "thread 'old-style-1' (WAITING at ");
  }

  /** Leaves two ports. */
  @PlantedLeak
  static class LeavesPorts {
    @Test
    void test() throws IOException {
      InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      ServerSocketChannel channel = ServerSocketChannel.open();
      LEFT.add(channel.bind(free));
      LEFT.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
    }
  }

  @Test
  void ports() {
    assertThat(failures(LeavesPorts.class))
        .singleElement()
        .asString()
        .containsSubsequence("open port /127.0.0.1:", "LeaksTest.java:", "open port ");
  }

  /** Leaves a file. */
  @PlantedLeak
  static class LeavesFile {
    @Test
    void test() throws IOException {
      Path file = Files.createTempFile("forgotten", ".txt");
      LEFT.add(() -> Files.delete(file));
    }
  }

  @Test
  void aTemporaryFile() {
    assertThat(failures(LeavesFile.class)).singleElement().asString().contains("temporary /");
  }

  /** Leaves a process. */
  @PlantedLeak
  static class LeavesProcess {
    @Test
    void test() throws IOException {
      Process process = new ProcessBuilder("sleep", "600").start();
      LEFT.add(
          () -> {
            process.destroyForcibly();
            process.waitFor();
          });
    }
  }

  @Test
  void aProcess() {
    assertThat(failures(LeavesProcess.class)).singleElement().asString().contains("process ");
  }

  /** Leaves a thread, from a property. */
  @PlantedLeak
  static class PropertyThatLeavesThread {
    @Property(tries = 1)
    void property() {
      new LeavesThread().test();
    }
  }

  @Test
  void aThreadOfAProperty() {
    assertThat(failures(PropertyThatLeavesThread.class))
        .singleElement()
        .asString()
        .contains(
            PropertyThatLeavesThread.class.getName() + " left behind:",
            "thread 'forgotten-1' (WAITING at ");
  }

  /** Leaves a file, from a property in a group. */
  @PlantedLeak
  static class GroupThatLeavesFile {
    @Group
    @SuppressWarnings("ClassCanBeStatic") // jqwik takes inner classes for groups.
    class Within {
      @Example
      void example() throws IOException {
        new LeavesFile().test();
      }
    }
  }

  @Test
  void aTemporaryFileOfAProperty() {
    assertThat(failures(GroupThatLeavesFile.class))
        .singleElement()
        .asString()
        .contains(GroupThatLeavesFile.class.getName() + " left behind:", "temporary /");
  }

  /** Has a thread that dies of an exception, from a property. */
  static class PropertyWhoseThreadDies {
    @Property(tries = 1)
    void property() {
      try (Actors actors = Actors.named("mortal")) {
        actors
            .pool(1)
            .execute(
                () -> {
                  throw new IllegalStateException("planted");
                });
      }
    }
  }

  @Test
  void aThreadOfAPropertyThatDies() {
    assertThat(failures(PropertyWhoseThreadDies.class))
        .singleElement()
        .asString()
        .contains("a thread died of java.lang.IllegalStateException: planted");
  }

  /** Ends what it makes in a property. */
  static class PropertyThatLeavesNothing {
    @Property(tries = 3)
    void property(@ForAll int unused) throws IOException {
      try (Actors actors = Actors.named("remembered")) {
        CountDownLatch end = new CountDownLatch(1);
        awaitWaiting(actors.start(end::await));
        Files.delete(Files.createTempFile("remembered" + Integer.signum(unused), ".txt"));
      }
    }
  }

  @Test
  void nothingOfAProperty() {
    assertThat(failures(PropertyThatLeavesNothing.class)).isEmpty();
  }

  /** Ends what it makes. */
  static class LeavesNothing {
    @Test
    void test(@TempDir Path folder) throws IOException {
      try (Actors actors = Actors.named("remembered");
          ServerSocket port = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        CountDownLatch end = new CountDownLatch(1);
        awaitWaiting(actors.start(end::await));
        assertThat(port.getLocalPort()).isPositive();
        Files.createTempFile(folder, "a", "b");
      }
    }
  }

  @Test
  void nothing() {
    assertThat(failures(LeavesNothing.class)).isEmpty();
  }

  /** What the class fails with whose one test succeeds. */
  private static List<Throwable> failures(Class<?> offender) {
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(offender))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                .build(),
            summary);
    assertThat(summary.getSummary().getTestsSucceededCount()).isEqualTo(1);
    return summary.getSummary().getFailures().stream()
        .map(failure -> failure.getException())
        .distinct() // Of a class of jqwik the same one is reported twice.
        .toList();
  }
}
