// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class StreamPlacesTest {
  private final StreamPlaces places = new StreamPlaces();

  @Test
  void oneUserLeavesPlacesToOthers() {
    take("tenant", StreamPlaces.MOST_PER_USER);
    assertThatThrownBy(() -> places.take("tenant"))
        .isInstanceOf(ViewProblem.class)
        .hasMessage("tenant has 4 streams of events already; close one of them");
    assertThatCode(() -> places.take("other")).doesNotThrowAnyException();

    places.giveBack("tenant");
    assertThatCode(() -> places.take("tenant")).doesNotThrowAnyException();
  }

  @Test
  void allTogetherHaveALimit() {
    take("", StreamPlaces.MOST);
    assertThatThrownBy(() -> places.take("tenant"))
        .isInstanceOf(ViewProblem.class)
        .hasMessageContaining("there are 16 streams");

    places.giveBack("");
    assertThatCode(() -> places.take("tenant")).doesNotThrowAnyException();
  }

  private void take(String user, int count) {
    for (int index = 0; index < count; index++) {
      places.take(user);
    }
  }
}
