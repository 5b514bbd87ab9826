// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.sdk.fixture.ServerAndReader;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The definition of the kind says with the first apply what the reader would say later. */
@KueueTest
class RefusedFieldsTest {

  @Test
  void headersThatTheControllerSets(KueueCluster cluster) {
    BudgetCheck.crds().forEach(cluster::apply);

    new ServerAndReader<>(cluster, Policy.POLICIES)
        .agree(
            List.of(measured(endpoint("X-Team") + ", query: up")),
            List.of(
                measured(endpoint("Host") + ", query: up"),
                measured(endpoint("Host").replace("endpoint:", "http:"))));
  }

  private static String measured(String fields) {
    return "limit: 1, prices: [{resource: cpu, price: 1}], window: {type: Daily}, consumption: {"
        + fields
        + "}";
  }

  private static String endpoint(String header) {
    return "endpoint: {url: 'http://a.example', headers: [{name: %s, value: {value: x}}]}"
        .formatted(header);
  }
}
