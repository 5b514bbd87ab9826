// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.queue;

import static io.github.kueue4j.jobs.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.jobs.Trimming;
import io.github.kueue4j.jobs.testing.PodVariants;
import io.github.kueue4j.jobs.testing.PodVariants.Variant;
import io.kubernetes.client.openapi.models.V1LimitRange;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a trimmed Workload asks for equals what the whole one does, whatever its template says. */
@Tag("thorough")
class TrimmedDemandTest {
  private static final DemandCalculator DEMANDS = demands();

  static Stream<Variant> variants() {
    return PodVariants.all();
  }

  @ParameterizedTest
  @MethodSource("variants")
  void theDemandIsThatOfTheWhole(Variant variant) {
    Workload whole = workload(variant.template());
    Workload trimmed = Trimming.workload(workload(variant.template()), Optional.empty());

    assertThat(DEMANDS.of(trimmed)).isEqualTo(DEMANDS.of(whole));
    assertThat(DEMANDS.problem(trimmed)).isEqualTo(DEMANDS.problem(whole));
  }

  private static DemandCalculator demands() {
    V1LimitRange limits =
        read(
            V1LimitRange.class,
            """
            {"metadata": {"name": "limits", "namespace": "team"}, "spec": {"limits": [
              {"type": "Container", "max": {"cpu": "40"}, "min": {"cpu": "50m"},
                "defaultRequest": {"cpu": "300m", "memory": "64Mi"}},
              {"type": "Pod", "max": {"memory": "400Gi"}}]}}
            """);
    Function<String, Map<String, Quantity>> overhead =
        name -> name.equals("gvisor") ? Map.of("cpu", Quantity.parse("250m")) : Map.of();
    return new DemandCalculator(
        ResourceRules.plain(), namespace -> NamespaceLimits.of(List.of(limits)), overhead);
  }

  private static Workload workload(JsonObject template) {
    JsonObject podSet = new JsonObject();
    podSet.addProperty("name", "main");
    podSet.addProperty("count", 3);
    podSet.add("template", template.deepCopy());
    JsonObject workload =
        JsonParser.parseString(
                """
                {"metadata": {"name": "job-j-1", "namespace": "team", "resourceVersion": "1"},
                 "spec": {"queueName": "lq"}}
                """)
            .getAsJsonObject();
    JsonArray podSets = new JsonArray();
    podSets.add(podSet);
    workload.getAsJsonObject("spec").add("podSets", podSets);
    return KueueJson.fromTree(workload, Workload.class);
  }
}
