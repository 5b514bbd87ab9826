// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckGroupTest {
  private static AdmissionCheck check(Map<String, String> annotations) {
    AdmissionCheck check = AdmissionCheck.named("spot-a");
    check.metadata().setAnnotations(annotations);
    return check;
  }

  @Test
  void withoutTheAnnotationItIsInNoGroup() {
    assertThat(CheckGroup.of(check(Map.of()))).isEmpty();
    assertThat(CheckGroup.of(check(Map.of("kueue4j.io/any-of", "")))).isEmpty();
    assertThat(CheckGroup.problem(check(Map.of()))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "capacity",
        "a",
        "9-lives",
        "a23456789-a23456789-a23456789-a23456789-a23456789-a23456789-a23"
      })
  void aLabelIsAGroup(String group) {
    AdmissionCheck check = check(Map.of("kueue4j.io/any-of", group));
    assertThat(CheckGroup.of(check)).contains(group);
    assertThat(CheckGroup.problem(check)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Capacity",
        "spot,other",
        "-a",
        "a-",
        "a.b",
        "a23456789-a23456789-a23456789-a23456789-a23456789-a23456789-a234"
      })
  void anythingElseIsNone(String group) {
    AdmissionCheck check = check(Map.of("kueue4j.io/any-of", group));
    assertThat(CheckGroup.of(check)).isEmpty();
    assertThat(CheckGroup.problem(check))
        .hasValueSatisfying(
            problem ->
                assertThat(problem)
                    .startsWith("metadata.annotations['kueue4j.io/any-of'] is '" + group + "'")
                    .contains("write one of at most 63"));
  }

  @Test
  void beforeQuotaThereAreNoAlternatives() {
    Map<String, String> both =
        Map.of("kueue4j.io/any-of", "capacity", "kueue4j.io/stage", "BeforeQuota");
    assertThat(CheckGroup.problem(check(both)))
        .hasValueSatisfying(problem -> assertThat(problem).contains("before quota each check"));
  }
}
