// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.e2e.demo.Demo;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.Lane;
import io.github.kueue4j.testdefaults.SimulatedClasses;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Tests that only compute are told from those that wait, without a list of them. */
@ResourceLock("jqwik") // It runs once at a time, also where a run has no properties.
class LaneTest {
  /** Says nothing but through a fixture. */
  static final class Fixture {
    private Fixture() {}

    static boolean opens(Object thing) {
      return thing instanceof ServerSocket;
    }
  }

  @Test
  void aTestThatOnlyComputesIsPure() throws ClassNotFoundException {
    Class<?> readsClasses = Class.forName("io.github.kueue4j.e2e.architecture.PackagesTest");
    assertThat(Lane.isPure(readsClasses)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(classes = {LaneTest.class, Fixture.class, LeaksTest.class, Actors.class, Demo.class})
  void onesThatReachAPortOrAThreadOrAClusterAreNot(Class<?> type) {
    assertThat(Lane.isPure(type)).isFalse();
  }

  /** Discovers both, as a build does. */
  @ParameterizedTest
  @CsvSource({"all, 2", "pure, 1", "real, 1", "quick, 2"})
  void aLaneTakesItsTests(String lane, int classes) throws ClassNotFoundException {
    Class<?> readsClasses = Class.forName("io.github.kueue4j.e2e.architecture.PackagesTest");

    assertThat(taken(lane, readsClasses, QuickScenario.class)).isEqualTo(classes);
  }

  private static boolean takes(String lane, Class<?> type) {
    return taken(lane, type) == 1;
  }

  private static LauncherConfig withoutThisBuildsLane() {
    return LauncherConfig.builder().enablePostDiscoveryFilterAutoRegistration(false).build();
  }

  /** How many of these classes are tests of the lane. */
  private static long taken(String lane, Class<?>... types) {
    TestPlan plan =
        LauncherFactory.create(withoutThisBuildsLane())
            .discover(
                LauncherDiscoveryRequestBuilder.request()
                    .selectors(Stream.of(types).map(DiscoverySelectors::selectClass).toList())
                    .filters(Lane.named(lane))
                    .build());
    return plan.countTestIdentifiers(test -> test.getSource().orElse(null) instanceof ClassSource);
  }

  /** Not pure, but one of those for the quick build; its methods are never called. */
  @Tag("quick")
  static class QuickScenario {
    @Test
    void test() throws IOException {
      assertThat(new ServerSocket(0)).isNull();
    }
  }

  @Test
  void aThoroughTestIsLeftOutByTheQuickBuildOnly() throws ClassNotFoundException {
    Class<?> thorough = Class.forName("io.github.kueue4j.e2e.architecture.ShippedLibrariesTest");

    assertThat(takes("pure", thorough)).isTrue();
    assertThat(takes("quick", thorough)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"true, 25, true", "true, 24, false", "false, 25, false"})
  void aClassIsSimulatedWhereTheJdkCanAndTheBuildWants(String wanted, int jdk, boolean simulated) {
    assertThat(SimulatedClasses.include(SimulatedScenario.class, wanted, jdk)).isEqualTo(simulated);
    assertThat(SimulatedClasses.include(QuickScenario.class, wanted, jdk)).isFalse();
  }

  @Test
  void aWishForSimulationsThatIsNeitherTrueNorFalseIsRefused() {
    assertThatThrownBy(() -> SimulatedClasses.include(QuickScenario.class, "no", 25))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("-Dkueue4j.simulated=no says nothing; write true or false");
  }

  /** Where simulations are off, it waits as others do. */
  @Test
  void aSimulatedClassIsOfTheFirstLaneAndNotOfTheQuickBuild() {
    boolean simulated = SimulatedClasses.include(SimulatedScenario.class);

    assertThat(takes("pure", SimulatedScenario.class)).isEqualTo(simulated);
    assertThat(takes("real", SimulatedScenario.class)).isEqualTo(!simulated);
    assertThat(takes("quick", SimulatedScenario.class)).isFalse();
  }

  /** Its methods are never called. */
  @Simulated
  static class SimulatedScenario {
    @Test
    void test() throws IOException {
      assertThat(new ServerSocket(0)).isNull();
    }
  }

  @Test
  void anUnknownLaneIsRefused() {
    assertThatThrownBy(() -> Lane.named("fast"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("-Dkueue4j.lane=fast names no lane; write all, pure, real, quick");
  }
}
