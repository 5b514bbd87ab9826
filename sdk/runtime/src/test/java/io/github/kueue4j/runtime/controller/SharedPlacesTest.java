// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SharedPlacesTest {

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "3, 3", "4, 3", "8, 6", "32, 24", "100, 75"})
  void aGroupThatIsAloneGetsThreeQuarters(int count, int most) {
    SharedPlaces<String> places = SharedPlaces.of(count);
    assertThat(takeAll(places, "greedy")).isEqualTo(most);
    assertThat(places.tryTake("other")).isEqualTo(count > most);
  }

  @Test
  void twoThatKeepAllTheyGetLeaveSomeToAnother() {
    SharedPlaces<String> places = SharedPlaces.of(32);
    for (int group = 0; group < 2; group++) {
      assertThat(takeAll(places, "greedy-" + group)).isPositive();
    }
    assertThat(places.tryTake("other")).isTrue();
  }

  @Test
  void whatIsGivenBackCanBeTakenAgain() {
    SharedPlaces<String> places = SharedPlaces.of(4);
    takeAll(places, "one");
    places.giveBack("one");
    assertThat(places.mayTake("one")).isTrue();
    assertThat(takeAll(places, "one")).isEqualTo(1);
    assertThatThrownBy(() -> places.giveBack("other"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("other");
  }

  private static int takeAll(SharedPlaces<String> places, String group) {
    int taken = 0;
    while (places.tryTake(group)) {
      taken++;
    }
    return taken;
  }
}
