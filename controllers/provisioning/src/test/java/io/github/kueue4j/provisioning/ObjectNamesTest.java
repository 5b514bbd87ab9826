// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ObjectNamesTest {

  @Test
  void namesSayWhatTheyAreFor() {
    assertThat(ObjectNames.request("job-train-1a2b3", "spot", 2))
        .isEqualTo("job-train-1a2b3-spot-2");
    assertThat(ObjectNames.podTemplate("job-train-1a2b3-spot-2", "main"))
        .isEqualTo("ppt-job-train-1a2b3-spot-2-main");
  }

  @Test
  void aNameThatIsTooLongEndsInAHashOfTheWhole() {
    String workload = "w".repeat(246);

    String first = ObjectNames.request(workload, "spot", 1);
    String second = ObjectNames.request(workload, "spot", 2);

    assertThat(first).hasSize(253).startsWith("w".repeat(246) + "--").matches(".*-[0-9a-f]{5}");
    assertThat(second).hasSize(253).isNotEqualTo(first);
    assertThat(ObjectNames.request("w".repeat(240), "spot", 1)).hasSize(247);
  }

  @Test
  void namesAreValidWhereverALongOneIsCut() {
    for (int length = 225; length <= 253; length++) {
      String workload = "w".repeat(length - 8) + ".part-1a";
      for (String check : List.of("a", "spot.example.com")) {
        String request = ObjectNames.request(workload, check, 1);
        for (String name :
            List.of(
                request,
                ObjectNames.otherRequest(request, "uid"),
                ObjectNames.podTemplate(request, "main"))) {
          assertThat(name)
              .hasSizeLessThanOrEqualTo(253)
              .matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
        }
      }
    }
  }

  @Test
  void theOtherNameIsAnotherOneForEachWorkload() {
    assertThat(ObjectNames.otherRequest("train-spot-1", "uid-1"))
        .startsWith("train-spot-1-")
        .isNotEqualTo(ObjectNames.otherRequest("train-spot-1", "uid-2"));
  }

  @Test
  void aNameTellsTheCheckOnlyIfAnAttemptFollows() {
    assertThat(ObjectNames.isOfAnyAttempt("train-spot-12", "train", "spot")).isTrue();
    assertThat(ObjectNames.isOfAnyAttempt("train-spot-a-1", "train", "spot")).isFalse();
    assertThat(ObjectNames.isOfAnyAttempt("train-spot-", "train", "spot")).isFalse();
    assertThat(ObjectNames.isOfAnyAttempt("train-1", "train", "spot")).isFalse();
  }
}
