// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.e2e.charts.Chart.Rendered;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Checks that are asked in advance, in the chart: port, Service, rights and annotation. */
class ChartAnswersTest {
  private static final Chart CHECKS = Chart.named("admission-checks");
  private static final String VALUES =
      """
      checks: {policy: {enabled: true}}
      networkPolicy: {enabled: true}
      admissionChecks:
      - {name: money, controllerName: kueue4j.io/budget}
      - {name: gpus, controllerName: kueue4j.io/gpu-availability}
      """;

  private static List<Rendered> render(boolean enabled) {
    return CHECKS.renderWith(VALUES + "answers: {enabled: " + enabled + "}\n");
  }

  private static String text(List<Rendered> objects, String id) {
    return objects.stream()
        .filter(each -> each.id().equals(id))
        .map(each -> each.tree().toString())
        .collect(Collectors.joining());
  }

  @Test
  void eachCheckThatAnswersIsReachedByWhoIsBound() {
    List<Rendered> objects = render(true);

    assertThat(objects)
        .map(Rendered::id)
        .contains("Service/kueue-budget-answers", "Service/kueue-policy-answers")
        .doesNotContain("Service/kueue-gpu-answers");
    assertThat(text(objects, "Deployment/kueue-budget"))
        .contains("--answers-port=8444", "name=answers, containerPort=8444");
    assertThat(text(objects, "ClusterRole/kueue-budget"))
        .contains("tokenreviews", "subjectaccessreviews");
    assertThat(text(objects, "NetworkPolicy/kueue-budget")).contains("port=answers");
    assertThat(text(objects, "Role/kueue-checks-answers"))
        .contains(
            "resources=[services/proxy], resourceNames=[https:kueue-budget-answers:https,"
                + " https:kueue-policy-answers:https], verbs=[create]");
    assertThat(text(objects, "AdmissionCheck/money"))
        .contains("kueue4j.io/dry-evaluations=kueue-system/kueue-budget-answers:https");
    assertThat(text(objects, "AdmissionCheck/gpus")).doesNotContain("dry-evaluations");
    for (Function<String, String> id :
        List.<Function<String, String>>of(
            name -> "Deployment/" + name,
            name -> "ClusterRole/" + name,
            name -> "NetworkPolicy/" + name)) {
      assertThat(text(objects, id.apply("kueue-gpu"))).doesNotContain("answers", "tokenreviews");
    }
  }

  @Test
  void aPortIsGivenOnce() {
    assertThatThrownBy(
            () ->
                CHECKS.renderWith(
                    VALUES + "answers: {enabled: true, port: 8080}\nhttpPort: 8080\n"))
        .hasMessageContaining("answers.port is 8080, as httpPort: give one of them another port");
  }

  @Test
  void byDefaultNothingIsOpened() {
    assertThat(render(false))
        .filteredOn(each -> !each.kind().equals("CustomResourceDefinition"))
        .map(each -> each.tree().toString())
        .noneMatch(text -> text.contains("answers") || text.contains("tokenreviews"));
  }
}
