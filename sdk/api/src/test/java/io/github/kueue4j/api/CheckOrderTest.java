// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CheckOrderTest {
  private static AdmissionCheck check(String after) {
    AdmissionCheck check = AdmissionCheck.named("nodes");
    check.metadata().setAnnotations(Map.of(CheckOrder.ANNOTATION, after));
    return check;
  }

  private static Set<String> before(String check, Map<String, Set<String>> after) {
    return CheckOrder.before(check, name -> after.getOrDefault(name, Set.of()));
  }

  @Test
  void namesAreReadWithoutBlanksAndWithoutWhatIsNone() {
    assertThat(CheckOrder.after(AdmissionCheck.named("nodes"))).isEmpty();
    assertThat(CheckOrder.after(check(" budget , policy.example.com "))).hasSize(2);
    assertThat(CheckOrder.after(check("budget,,No Name"))).containsExactly("budget");
    assertThat(CheckOrder.problem(check("budget"))).isEmpty();
    assertThat(CheckOrder.after(check("a.".repeat(50_000) + "a, budget")))
        .containsExactly("budget");
    assertThat(CheckOrder.after(check("x".repeat(253) + "," + "x".repeat(254)))).hasSize(1);
    assertThat(CheckOrder.problem(check("x".repeat(10_000) + "!")))
        .hasValueSatisfying(problem -> assertThat(problem).hasSizeLessThan(2000));
  }

  @Test
  void whatComesBeforeAnotherComesBeforeWhatComesAfterIt() {
    Map<String, Set<String>> line = Map.of("c", Set.of("b"), "b", Set.of("a", "gone"));
    assertThat(before("c", line)).containsExactly("a", "b", "gone");
    assertThat(before("a", line)).isEmpty();
  }

  @Test
  void inACircleNoneComesBeforeAnother() {
    Map<String, Set<String>> circle =
        Map.of("a", Set.of("c"), "b", Set.of("a"), "c", Set.of("b"), "d", Set.of("a"));
    assertThat(before("a", circle)).isEmpty();
    assertThat(before("d", circle)).containsExactly("a", "b", "c");
    assertThat(CheckOrder.circle("a", name -> circle.getOrDefault(name, Set.of())))
        .containsExactly("b", "c");
    assertThat(CheckOrder.circle("d", name -> circle.getOrDefault(name, Set.of()))).isEmpty();
  }
}
