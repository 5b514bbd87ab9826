// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import static io.github.kueue4j.gpu.GpuWorld.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.gpu.source.CapacitySource;
import io.github.kueue4j.gpu.source.CapacitySources;
import io.github.kueue4j.http.HttpEndpoint;
import io.github.kueue4j.sdk.BackendHealth;
import io.github.kueue4j.sdk.BackendUnavailableException;
import io.github.kueue4j.sdk.Verdict;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes that are not in the cluster, but could be had. */
class CapacitySourceTest {

  private final GpuWorld world = new GpuWorld();
  private final FakeSource source = new FakeSource();

  @BeforeEach
  void ask() {
    world.policy = Policies.asking(world.policy, source.source());
  }

  @AfterEach
  void close() {
    source.close();
  }

  private String refusal(String name, long gpus) {
    assertThat(world.ask(name, gpus)).isInstanceOf(Verdict.Retry.class);
    Verdict.Retry retry = (Verdict.Retry) world.again(name);
    world.workloads.remove(new ObjectKey("team-a", name));
    return retry.message().replace(" Retrying in {delay} (attempt {attempt})", "");
  }

  private void nextAnswer() {
    world.now = world.now.plus(FakeSource.INTERVAL);
  }

  @Test
  void whatIsOfferedIsPromisedOnce() {
    source.offers(1, 8);
    world.letThrough(workload("first", CheckState.PENDING, 6));

    assertThat(refusal("second", 4)).isEqualTo("Only 2 of 4 a100 GPUs available.");
    assertThat(world.ask("third", 2)).isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void podsMustFitOnTheOfferedNodesAndNothingIsRejectedForGood() {
    world.policy = Policies.with(world.policy, GpuPolicy.NeverFits.REJECTED);
    source.offers(2, 4);
    assertThat(refusal("large", 8))
        .startsWith("A pod of the pod set 'main' needs 8 a100 GPUs; the largest node, a100#0 of ");

    source.offers(0, 8);
    nextAnswer();
    assertThat(refusal("small", 1))
        .isEqualTo("The capacity source offers no nodes of the flavor 'a100'.");
  }

  @Test
  void nodesOfTheClusterDontCountForItsFlavorsNorItsNodesForOthers() {
    world.node("n1", 8);
    source.offers(1, 4);
    assertThat(refusal("large", 8)).contains("the largest node, a100#0 of ");

    world.flavor("t4", Map.of("nvidia.com/gpu.product", "Tesla-T4"));
    assertThat(world.ask(workload("other", CheckState.PENDING, 1, 1, "t4")))
        .isInstanceOf(Verdict.Retry.class);
  }

  /** The pods run now, and the source has taken them into account only from its next answer on. */
  @Test
  void whatPodsTookIsFreeAgainOnlyWhenALaterAnswerSaysSo() {
    source.offers(1, 8);
    world.letThrough(workload("first", CheckState.PENDING, 8));
    world.node("made", 8);
    world.pod("made", 8, "job-first");
    assertThat(refusal("second", 1)).startsWith("No a100 GPUs");

    source.offers(1, 2);
    nextAnswer();
    assertThat(world.ask("second", 2)).isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void anAnswerToARequestFromBeforeLeavesNothingOut() throws Exception {
    source.offers(1, 8);
    world.letThrough(workload("first", CheckState.PENDING, 8));
    CapacitySources.Offered fromBefore =
        new CapacitySources(GpuWorld.OPTIONS.backends(), world.capacity::moment)
            .offered(source.source(), world.now);
    world.node("made", 8);
    world.pod("made", 8, "job-first");
    world.offers.offer(world.now);

    world.capacity.offered(source.source(), fromBefore);
    assertThat(refusal("second", 1)).startsWith("No a100 GPUs");
  }

  @Test
  void itIsAskedOncePerInterval() {
    source.offers(1, 8);
    assertThat(world.ask("first", 1)).isInstanceOf(Verdict.Ready.class);
    assertThat(world.ask("second", 1)).isInstanceOf(Verdict.Ready.class);
    assertThat(source.requests()).isEqualTo(1);

    source.answers(500, "broken");
    nextAnswer();
    assertThatThrownBy(() -> world.ask("third", 1)).isInstanceOf(BackendUnavailableException.class);
    assertThatThrownBy(() -> world.ask("third", 1)).isInstanceOf(BackendUnavailableException.class);
    assertThat(source.requests()).isEqualTo(2);

    source.offers(1, 8);
    nextAnswer();
    assertThat(world.ask("third", 1)).isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void itIsLeftAloneForAsLongAsItAsksFor() {
    source.answers(429, "Retry-After", "60");
    assertThatThrownBy(() -> world.ask("first", 1)).isInstanceOf(BackendUnavailableException.class);
    source.offers(1, 8);
    world.now = world.now.plusSeconds(59);
    assertThatThrownBy(() -> world.ask("first", 1)).isInstanceOf(BackendUnavailableException.class);
    assertThat(source.requests()).isEqualTo(1);

    world.now = world.now.plusSeconds(1);
    assertThat(world.ask("first", 1)).isInstanceOf(Verdict.Ready.class);
  }

  /** By an hour: a step of less than the interval makes no difference worth a request. */
  @Test
  void itIsAskedWithinItsIntervalAfterTheClockWasSetBack() {
    source.offers(0, 8);
    assertThat(refusal("first", 1)).startsWith("The capacity source offers no nodes");

    source.offers(1, 8);
    world.now = world.now.minus(FakeSource.INTERVAL).plusSeconds(1);
    assertThat(refusal("first", 1)).startsWith("The capacity source offers no nodes");
    world.now = world.now.minus(Duration.ofHours(1));
    assertThat(world.ask("first", 1)).isInstanceOf(Verdict.Ready.class);
    assertThat(world.ask("second", 1)).isInstanceOf(Verdict.Ready.class);
    assertThat(source.requests()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "503 | | answered that it can't answer now",
        "404 | nothing here | answered 404 (Not Found)",
        "302 | | answered 302",
        "200 | <html> | answer is not one JSON document",
        "200 | {} | answer.nodes",
        "200 | {\"nodes\": {}} | answer.nodes",
        "200 | {\"nodes\": [{\"count\": 1}]} | answer.nodes[0].flavor",
        "200 | {\"nodes\": [{\"flavor\": \"a100\", \"count\": -1, \"allocatable\": {\"cpu\": 1}}]} | count",
        "200 | {\"nodes\": [{\"flavor\": \"a100\", \"count\": 1}]} | allocatable",
        "200 | {\"nodes\": []} {} | answer is not one JSON document",
      })
  void withoutAUsableAnswerNothingIsLetThrough(int status, String body, String why) {
    source.offers(1, 8);
    assertThat(world.ask("before", 1)).isInstanceOf(Verdict.Ready.class);

    source.answers(status, body == null ? "" : body);
    nextAnswer();
    assertThatThrownBy(() -> world.ask("after", 1))
        .isInstanceOf(BackendUnavailableException.class)
        .hasMessageStartingWith(
            "What the capacity source " + source.url() + " offers is not known:")
        .hasMessageContaining(why);
  }

  @Test
  void anAnswerWithoutAnEndIsNotWaitedFor() {
    source.hangs();
    world.policy =
        Policies.asking(
            world.policy,
            new CapacitySource(
                HttpEndpoint.of(URI.create(source.url())).withTimeout(Duration.ofMillis(50)),
                Set.of("a100"),
                Optional.empty(),
                Optional.empty()));

    assertThatThrownBy(() -> world.ask("first", 1)).hasMessageContaining("did not answer within");
  }

  @Test
  void aHugeAnswerIsBounded() {
    source.offers(Integer.MAX_VALUE, 8);
    assertThat(world.ask(workload("first", CheckState.PENDING, 1000, 8, "a100")))
        .isInstanceOf(Verdict.Ready.class);
    assertThat(refusal("second", 1)).startsWith("No a100 GPUs");

    source.answers(200, " ".repeat(1 << 21));
    nextAnswer();
    assertThatThrownBy(() -> world.ask("third", 1)).hasMessageContaining("which is the limit");
  }

  @Test
  void aFlavorWithManyNodesLeavesRoomForAnother() {
    source.answers(
        200,
        """
        {"nodes": [
          {"flavor": "t4", "count": 5000, "allocatable": {"nvidia.com/gpu": 8}},
          {"flavor": "a100", "count": 700, "allocatable": {"nvidia.com/gpu": 8}},
          {"flavor": "a100", "count": 700, "allocatable": {"nvidia.com/gpu": 8}}
        ]}
        """);

    assertThat(world.ask(workload("first", CheckState.PENDING, 1000, 8, "a100")))
        .isInstanceOf(Verdict.Ready.class);
    assertThat(refusal("second", 1)).startsWith("No a100 GPUs");
  }

  @Test
  void theFlavorsOfAnAnswerAreBounded() {
    source.answers(
        200,
        IntStream.rangeClosed(0, 256)
            .mapToObj(
                i ->
                    "{\"flavor\": \"f%d\", \"count\": 1, \"allocatable\": {\"cpu\": 1}}"
                        .formatted(i))
            .collect(Collectors.joining(", ", "{\"nodes\": [", "]}")));

    assertThatThrownBy(() -> world.ask("first", 1))
        .hasMessageContaining("257 flavors")
        .hasMessageContaining("256");
  }

  @Test
  void aSourceThatFailsConcernsItsFlavorsOnly() {
    world.flavor("fixed", GpuWorld.A100);
    world.node("n1", 8);
    source.answers(500, "");

    assertThat(world.ask(workload("fixed", CheckState.PENDING, 1, 8, "fixed")))
        .isInstanceOf(Verdict.Ready.class);
    assertThat(source.requests()).isZero();
  }

  @Test
  void probesTellWhetherItAnswersAndWakeThoseThatWait() throws Exception {
    world.offers.offer(world.now);
    world.sendBack("first", 8);
    assertThat(world.wake("first")).isFalse();

    source.offers(1, 8);
    nextAnswer();
    assertThat(world.check.probe("gpu", world.policy)).isInstanceOf(BackendHealth.Up.class);
    assertThat(world.lineChanges).isPositive();
    assertThat(world.wake("first")).isTrue();

    source.answers(500, "secret of the server");
    nextAnswer();
    assertThat(world.check.probe("gpu", world.policy))
        .isInstanceOfSatisfying(
            BackendHealth.Down.class,
            down -> {
              assertThat(down.reason()).hasToString("CapacitySourceUnavailable");
              assertThat(down.message())
                  .contains("answered that it failed")
                  .doesNotContain("secret");
            });
    assertThat(world.check.probe("gpu", GpuPolicy.defaults())).isInstanceOf(BackendHealth.Up.class);
  }

  @Test
  void aFlavorIsEitherAskedForOrLeftToProvisioning() {
    assertThatThrownBy(() -> Policies.autoscaled(world.policy, Set.of("a100")))
        .hasMessageContaining("capacitySource.flavors")
        .hasMessageContaining("autoscaledFlavors");
    assertThatThrownBy(
            () ->
                new CapacitySource(
                    source.source().endpoint(), Set.of(), Optional.empty(), Optional.empty()))
        .hasMessageContaining("name a ResourceFlavor");
    assertThatThrownBy(
            () ->
                new CapacitySource(
                    source.source().endpoint(),
                    Set.of("a100"),
                    Optional.of(Duration.ofMillis(999)),
                    Optional.empty()))
        .hasMessageContaining("write a duration from 1s to 1h");
  }
}
