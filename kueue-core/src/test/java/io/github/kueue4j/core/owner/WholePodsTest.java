// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.jobs.BatchJob;
import io.github.kueue4j.jobs.Equivalence;
import io.github.kueue4j.jobs.Trimming;
import io.kubernetes.client.openapi.models.V1Job;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WholePodsTest {
  private static final BatchJob KIND = new BatchJob();
  private final WholePods<V1Job> pods = new WholePods<>(KIND, 2);

  @Test
  void remembersThePodsOfTheVersionThatItTrimmed() {
    V1Job trimmed = pods.trimmed(job("a", "1", true));

    assertThat(Trimming.whole(KIND.podSets(trimmed))).isFalse();
    assertThat(pods.of(trimmed))
        .hasValueSatisfying(
            whole -> {
              assertThat(Trimming.whole(whole)).isTrue();
              assertThat(Equivalence.same(whole, KIND.podSets(job("a", "1", true)))).isTrue();
            });
    assertThat(pods.of(job("a", "2", true))).as("another version").isEmpty();
    assertThat(pods.of(job("b", "1", true))).as("another Job").isEmpty();
  }

  @Test
  void whatIsTrimmedAgainIsNotTakenForWhole() {
    V1Job trimmed = pods.trimmed(job("a", "1", true));
    pods.trimmed(trimmed);

    assertThat(pods.of(trimmed))
        .hasValueSatisfying(whole -> assertThat(Trimming.whole(whole)).isTrue());
  }

  @Test
  void forgetsTheOneThatCameFirst() {
    V1Job first = pods.trimmed(job("a", "1", true));
    V1Job second = pods.trimmed(job("b", "2", true));
    V1Job newer = pods.trimmed(job("a", "3", true));
    V1Job third = pods.trimmed(job("c", "4", true));

    assertThat(pods.of(first)).isEmpty();
    assertThat(pods.of(second)).isEmpty();
    assertThat(pods.of(newer)).isPresent();
    assertThat(pods.of(third)).isPresent();
  }

  /** A tenant can make each Job as large as the API server takes. */
  @Test
  void remembersFewLargeJobs() {
    WholePods<V1Job> many = new WholePods<>(KIND, 100);
    String large = "x".repeat(WholePods.MOST_CHARACTERS / 4);
    V1Job small = many.trimmed(job("small", "1", true));
    List<V1Job> jobs =
        IntStream.range(0, 10).mapToObj(i -> many.trimmed(job("j" + i, "1", true, large))).toList();

    assertThat(many.of(small)).isEmpty();
    assertThat(jobs.stream().filter(each -> many.of(each).isPresent()))
        .containsExactlyElementsOf(jobs.subList(7, 10));
  }

  @Test
  void doesNotRememberJobsThatRun() {
    assertThat(pods.of(pods.trimmed(job("a", "1", false)))).isEmpty();
  }

  private static V1Job job(String name, String version, boolean suspend) {
    return job(name, version, suspend, "example.com/app:1");
  }

  private static V1Job job(String name, String version, boolean suspend, String image) {
    return KueueJson.fromJson(
        """
        {"metadata": {"name": "%s", "namespace": "team", "uid": "u-%s", "resourceVersion": "%s"},
         "spec": {"suspend": %s, "template": {"spec": {"containers": [
           {"name": "main", "image": "%s"}]}}}}
        """
            .formatted(name, name, version, suspend, image),
        V1Job.class);
  }
}
