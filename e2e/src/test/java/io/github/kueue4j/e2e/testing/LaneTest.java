// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.e2e.demo.Demo;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.Lane;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that only compute are told from those that wait, without a list of them. */
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

  @Test
  void anUnknownLaneIsRefused() {
    assertThatThrownBy(() -> Lane.named("fast"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("-Dkueue4j.lane=fast names no lane; write all, pure, real, quick");
  }
}
