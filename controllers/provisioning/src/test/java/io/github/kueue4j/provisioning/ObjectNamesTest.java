// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

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
}
