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
package io.github.kueue4j.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.Launch;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AdmissionRulesTest {
  private static final String CLUSTER_QUEUE = "/validate-kueue-x-k8s-io-v1beta2-clusterqueue";
  private static final String WORKLOAD = "/validate-kueue-x-k8s-io-v1beta2-workload";
  private static final String NEW_WORKLOAD = "/mutate-kueue-x-k8s-io-v1beta2-workload";
  private static final String NEW_JOB = "/mutate-batch-v1-job";
  private static final String SHRUNK =
      """
      {"metadata": {"name": "w"%s}, "spec": {"podSets": [
        {"name": "a", "minCount": 1, "count": 2, "template": {"spec": {"containers": []}}},
        {"name": "b", "minCount": 1, "count": %d, "template": {"spec": {"containers": []}}}]}}
      """;

  /** A cluster where everything is managed and nothing has a default. */
  private static final Surroundings BARE =
      new Surroundings() {
        @Override
        public boolean managesNamespace(String namespace) {
          return true;
        }

        @Override
        public boolean hasLocalQueue(String namespace, String name) {
          return false;
        }

        @Override
        public boolean hasWorkloadPriorityClass(String name) {
          return true;
        }

        @Override
        public boolean managesOwner(String namespace, String apiVersion, String kind, String name) {
          return false;
        }

        @Override
        public boolean managesKind(String apiVersion, String kind) {
          return false;
        }
      };

  private static Ruling ask(
      String configuration, String gates, String path, String object, @Nullable String old) {
    Configuration parsed =
        Configuration.parse(
            "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n" + configuration,
            new Launch("kueue-system", gates));
    return Objects.requireNonNull(new AdmissionRules(parsed, BARE).reviewers().get(path))
        .review(new AdmissionRequest("default", "", tree(object), old == null ? null : tree(old)));
  }

  private static Ruling ask(String gates, String path, String object, @Nullable String old) {
    return ask("", gates, path, object, old);
  }

  private static JsonObject tree(String json) {
    return JsonParser.parseString(json).getAsJsonObject();
  }

  private static List<String> refused(Ruling ruling) {
    return switch (ruling) {
      case Ruling.Allowed allowed -> List.of();
      case Ruling.Refused refused -> refused.violations().stream().map(Violation::field).toList();
    };
  }

  private static JsonArray patch(Ruling ruling) {
    return switch (ruling) {
      case Ruling.Allowed allowed -> allowed.patch();
      case Ruling.Refused refused -> throw new AssertionError("refused: " + refused.violations());
    };
  }

  @Test
  void whatWasWrongBeforeMayStay() {
    String wrong = SHRUNK.formatted("", 2);

    assertThat(refused(ask("", WORKLOAD, wrong, null))).containsExactly("spec.podSets[1].minCount");
    assertThat(refused(ask("", WORKLOAD, wrong, wrong))).isEmpty();
    assertThat(refused(ask("", WORKLOAD, SHRUNK.formatted("", 3), wrong))).isEmpty();
    assertThat(
            refused(
                ask("", WORKLOAD, wrong, wrong.replace("\"name\": \"b\", \"minCount\": 1,", ""))))
        .isNotEmpty();
  }

  @Test
  void whatWasWrongBeforeIsFoundAgainAtAnotherPlace() {
    String flavor =
        """
        {"name": "%s", "resources": [{"name": "cpu", "nominalQuota": "1", "lendingLimit": "%s"}]}
        """;
    String queue =
        """
        {"metadata": {"name": "q"}, "spec": {"cohortName": "c", "resourceGroups": [
          {"coveredResources": ["cpu"], "flavors": [%s]}]}}
        """;
    String before = queue.formatted(flavor.formatted("a", 1) + "," + flavor.formatted("b", 2));
    String moved = queue.formatted(flavor.formatted("b", 2) + "," + flavor.formatted("a", 1));
    String another = queue.formatted(flavor.formatted("a", 2) + "," + flavor.formatted("b", 2));
    String other = queue.formatted(flavor.formatted("b", 1) + "," + flavor.formatted("a", 2));

    assertThat(refused(ask("", CLUSTER_QUEUE, moved, before))).isEmpty();
    assertThat(refused(ask("", CLUSTER_QUEUE, another, before)))
        .containsExactly("spec.resourceGroups[0].flavors[0].resources[0].lendingLimit");
    assertThat(refused(ask("", CLUSTER_QUEUE, other, before)))
        .containsExactly("spec.resourceGroups[0].flavors[1].resources[0].lendingLimit");
  }

  @Test
  void whatIsBeingDeletedIsNotValidated() {
    String deleting = ", \"deletionTimestamp\": \"2026-01-01T00:00:00Z\"";

    assertThat(refused(ask("", WORKLOAD, SHRUNK.formatted(deleting, 2), null))).isEmpty();
  }

  @Test
  void checksOnFlavorsThatAreGoneStayUnlessTheGateSaysOtherwise() {
    String queue =
        """
        {"metadata": {"name": "q"}, "spec": {"stopPolicy": "%s", "admissionChecksStrategy": {
          "admissionChecks": [{"name": "c", "onFlavors": ["gone"]}]}}}
        """;
    String gate = "RejectUpdatesToCQWithInvalidOnFlavors=true";

    assertThat(refused(ask("", CLUSTER_QUEUE, queue.formatted("Hold"), queue.formatted("None"))))
        .isEmpty();
    assertThat(refused(ask(gate, CLUSTER_QUEUE, queue.formatted("Hold"), queue.formatted("None"))))
        .containsExactly("spec.admissionChecksStrategy.admissionChecks[0].onFlavors[0]");
  }

  @Test
  void gatesSwitchRulesOff() {
    String negative =
        """
        {"metadata": {"name": "w"}, "spec": {"podSets": [{"template": {
          "metadata": {"labels": {"a b": ""}}, "spec": {"containers": [
            {"name": "c", "resources": {"requests": {"cpu": "-1"}}}]}}}]}}
        """;

    assertThat(refused(ask("", WORKLOAD, negative, null))).hasSize(2);
    assertThat(
            refused(
                ask(
                    "WorkloadValidateResourcesAreNonNegative=false,"
                        + "WorkloadValidationForPodSetMetadata=false",
                    WORKLOAD,
                    negative,
                    null)))
        .isEmpty();
  }

  @Test
  void withoutPartialAdmissionNobodyHasAMinimum() {
    assertThat(patch(ask("", NEW_WORKLOAD, SHRUNK.formatted("", 2), null))).isEmpty();
    assertThat(
            patch(ask("PartialAdmission=false", NEW_WORKLOAD, SHRUNK.formatted("", 2), null))
                .toString())
        .isEqualTo(
            "[{\"op\":\"remove\",\"path\":\"/spec/podSets/0/minCount\"},"
                + "{\"op\":\"remove\",\"path\":\"/spec/podSets/1/minCount\"}]");
  }

  @Test
  void jobsWithoutAQueueAreSuspendedIfTheyAreManagedToo() {
    String job = "{\"metadata\": {\"name\": \"j\"}, \"spec\": {}}";

    assertThat(patch(ask("", NEW_JOB, job, null))).isEmpty();
    assertThat(patch(ask("manageJobsWithoutQueueName: true\n", "", NEW_JOB, job, null)).toString())
        .contains("\"/spec/suspend\"", "\"/metadata/labels\"", "kueue.x-k8s.io~1priority-class");
    assertThat(
            patch(
                    ask(
                        "manageJobsWithoutQueueName: true\n",
                        "WorkloadPriorityClassDefaulting=false",
                        NEW_JOB,
                        job,
                        null))
                .toString())
        .isEqualTo("[{\"op\":\"add\",\"path\":\"/spec/suspend\",\"value\":true}]");
  }

  @Test
  void aKindThatIsNotManagedIsLeftAlone() {
    String job =
        """
        {"metadata": {"name": "j", "labels": {"kueue.x-k8s.io/queue-name": "A b"}}, "spec": {}}
        """;
    String none = "integrations: {frameworks: [jobset.x-k8s.io/jobset]}\n";

    assertThat(refused(ask("", "", "/validate-batch-v1-job", job, null))).hasSize(1);
    assertThat(refused(ask(none, "", "/validate-batch-v1-job", job, null))).isEmpty();
    assertThat(patch(ask(none, "", NEW_JOB, job, null))).isEmpty();
  }
}
