// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The class that a thread belongs to while JUnit has it run tests of several classes. */
@ResourceLock("jqwik") // It runs once at a time, also where a run has no properties.
class TestOwnerTest {
  private static final List<String> OWNERS = new ArrayList<>();

  /** Its dynamic tests run where another class waits for its own. */
  static class DynamicTests {
    @TestFactory
    Stream<DynamicTest> tests() {
      return Stream.of("first", "second")
          .map(
              name -> {
                OWNERS.add(owner());
                TestOwner.makeCurrent(new TestOwner(Other.class));
                return dynamicTest(name, () -> OWNERS.add(owner()));
              });
    }
  }

  /** So do its methods. */
  static class Methods {
    Methods() {
      OWNERS.add(owner());
      TestOwner.makeCurrent(new TestOwner(Other.class));
    }

    @Test
    void first() {
      OWNERS.add(owner());
    }

    @Test
    void second() {
      OWNERS.add(owner());
    }
  }

  /** The class that waits. */
  private static final class Other {}

  @Test
  void aDynamicTestIsThatOfItsClassAndThenOfTheOneThatWaits() {
    run(DynamicTests.class);

    assertThat(OWNERS).containsExactly("DynamicTests", "DynamicTests", "Other", "DynamicTests");
  }

  @Test
  void soIsAMethod() {
    run(Methods.class);

    assertThat(OWNERS).containsExactly("Methods", "Methods", "Other", "Methods");
    assertThat(owner()).isEqualTo("TestOwnerTest");
  }

  private static void run(Class<?> offender) {
    OWNERS.clear();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(offender))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                .build());
  }

  private static String owner() {
    TestOwner owner = TestOwner.current();
    return owner == null ? "" : owner.className().replaceFirst(".*[.$]", "");
  }
}
