/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
