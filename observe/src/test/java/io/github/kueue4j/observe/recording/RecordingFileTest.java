// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.jobs.testing.FromYaml;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The file of a recording: whole, cut off, too large, and what is none. */
class RecordingFileTest {
  private static final Instant FROM = Instant.parse("2026-01-05T00:00:00Z");
  private static final String HEADER =
      "{\"kueue4jRecording\":1,\"from\":\"2026-01-05T00:00:00Z\"}\n";

  @Test
  void aFileThatIsCutOffAnywhereIsReadAsFarAsItIsWhole() throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    RecordingWriter writer =
        new RecordingWriter(file, RecordingWriter.SMALLEST_BOUND, FROM, Optional.empty());
    List<Integer> whole = new ArrayList<>();
    for (int change = 0; change < 5; change++) {
      writer.write(change(change, "padding"));
      writer.flush();
      whole.add(file.size());
    }
    writer.end(FROM.plusSeconds(9), "it is enough");
    writer.close();
    byte[] bytes = file.toByteArray();

    assertThat(read(bytes).end()).contains("it is enough");
    assertThat(read(bytes).to()).isEqualTo(FROM.plusSeconds(9));
    for (int size = whole.getFirst(); size < whole.getLast(); size++) {
      int cut = size;
      RecordingReader.Extent extent = read(Arrays.copyOf(bytes, size));
      assertThat(extent.changes())
          .as("cut after %d of %d bytes", size, bytes.length)
          .isGreaterThanOrEqualTo(whole.stream().filter(end -> end <= cut).count());
      assertThat(extent.end()).isEmpty();
    }
    assertThatThrownBy(() -> read(Arrays.copyOf(bytes, 12)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cut off before its first line");
  }

  @Test
  void aRecordingEndsBeforeItsFileIsTooLarge() throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    RecordingWriter writer =
        new RecordingWriter(file, RecordingWriter.SMALLEST_BOUND, FROM, Optional.empty());
    Random random = new Random(1);
    int changes = 0;
    while (writer.write(change(changes, random(random)))) {
      changes++;
    }
    assertThat(writer.write(change(changes, ""))).isFalse();
    writer.close();

    assertThat(file.size()).isLessThan((int) RecordingWriter.SMALLEST_BOUND);
    assertThat(writer.changes()).isEqualTo(changes + 1L);
    RecordingReader.Extent extent = read(file.toByteArray());
    assertThat(extent.changes()).isEqualTo(changes + 1L);
    assertThat(extent.end()).contains("the file has reached its largest size");
  }

  @Test
  void whatIsNoRecordingIsRefused() throws IOException {
    refused(new byte[0], "is empty");
    refused("plain text".getBytes(StandardCharsets.UTF_8), "isn't compressed by gzip");
    refused(zipped("no json\n"), "its first line is no JSON object");
    refused(zipped("{}\n"), "its first line has no kueue4jRecording");
    refused(zipped(HEADER.replace(":1,", ":7,")), "a recording of version 7");
    refused(zipped(HEADER + "{\"at\":\"soon\"}\n"), "in line 2 at is soon");
    refused(
        zipped(HEADER + "{\"at\":\"2026-01-05T00:00:00Z\",\"kind\":\"Secret\"}\n"),
        "in line 2 kind is Secret");
    refused(zipped(HEADER + "half a li\n{}\n"), "line 2 is no JSON object");
  }

  @Test
  void anObjectThatIsNoneIsToldWithItsLine() throws IOException {
    byte[] file =
        zipped(
            HEADER
                + "{\"at\":\"2026-01-05T00:00:00Z\",\"kind\":\"Workload\",\"namespace\":\"team\",\"name\":\"w\",\"object\":{\"spec\":5}}\n");

    assertThatThrownBy(() -> RecordedLoad.read(new ByteArrayInputStream(file)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is damaged: the object in line 2 is no Workload");
  }

  @Test
  void ofANamespaceOnlyTheLabelsAreKept() {
    V1Namespace namespace =
        new V1Namespace()
            .metadata(
                new V1ObjectMeta()
                    .name("team")
                    .putLabelsItem("tier", "gold")
                    .putAnnotationsItem("token", "s3cr3t-marker"));

    assertThat(RecordedFields.of("Namespace", namespace).toString())
        .contains("gold")
        .doesNotContain("s3cr3t-marker");
  }

  @Test
  void aWorkloadThatChangesWhileTheFirstOnesAreListedHasOneLife() {
    MemoryRecording recording = new MemoryRecording(FROM);
    String workload =
        """
        {metadata: {name: w, namespace: team, uid: u, creationTimestamp: "2026-01-05T00:00:00Z"},
          spec: {queueName: lq, podSets: []}, status: {conditions: [%s]}}
        """;
    recording.present("Workload", FromYaml.read(Workload.class, workload.formatted("")));
    recording.present(
        "Workload",
        FromYaml.read(
            Workload.class,
            workload.formatted(
                """
                {type: Finished, status: "True", reason: Succeeded, message: "",
                  lastTransitionTime: "2026-01-05T00:00:00Z"}
                """)));

    RecordedLoad load = MemoryRecording.read(recording.end(FROM.plusSeconds(9)));

    assertThat(load.workloads()).isOne();
    assertThat(load.log().lives()).hasSize(1);
  }

  @Test
  void anEmptyRecordingIsReplayed() throws IOException {
    ReplayReport report =
        MemoryRecording.replay(zipped(HEADER), Configuration.defaults(), ReplayChanges.none());

    assertThat(report.queues()).isEmpty();
    assertThat(report.recorded()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          team-b/cpu           | 4    | the recording has no ClusterQueue "team-b"; did you mean team-a?
          team-a               | 4    | the quota "team-a" names no resource
          team-a/memory        | 4    | ClusterQueue team-a has no quota "memory"; it has default/cpu
          team-a/cpu           | -4   | the quota of team-a/cpu can't be "-4"
          team-a/cpu           | lots | the quota of team-a/cpu can't be "lots"
          """)
  void aChangeThatConcernsNothingIsRefused(String path, String amount, String why) {
    MemoryRecording recording = new MemoryRecording(FROM);
    recording.present(
        "ClusterQueue",
        FromYaml.read(
            ClusterQueue.class,
            """
            {metadata: {name: team-a}, spec: {namespaceSelector: {}, resourceGroups: [
              {coveredResources: [cpu], flavors: [{name: default, resources: [
                {name: cpu, nominalQuota: 2}]}]}]}}
            """));
    byte[] file = recording.end(FROM.plusSeconds(1));

    assertThatThrownBy(
            () ->
                MemoryRecording.replay(
                    file,
                    Configuration.defaults(),
                    new ReplayChanges(Map.of(path, amount), List.of())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
    assertThatThrownBy(
            () ->
                MemoryRecording.replay(
                    file, Configuration.defaults(), new ReplayChanges(Map.of(), List.of("budget"))))
        .hasMessageContaining("no required AdmissionCheck \"budget\"");
  }

  @Test
  void ofAConfigurationOnlyTheBlocksThatDecideAreKept() {
    String kept =
        DecidingConfiguration.of(
                """
                apiVersion: config.kueue.x-k8s.io/v1beta2
                kind: Configuration
                metrics: {bindAddress: ":8443"}
                webhook: {port: 9443}
                waitForPodsReady: {timeout: 5m}
                """)
            .orElseThrow();

    assertThat(kept).contains("waitForPodsReady").doesNotContain("8443", "9443");
    assertThat(Configuration.parse(kept).podsReady().in(null)).isPresent();
    assertThat(DecidingConfiguration.of("[")).isEmpty();
  }

  private static RecordedChange change(int second, String padding) {
    JsonObject object = new JsonObject();
    object.addProperty("padding", padding);
    return new RecordedChange(
        FROM.plusSeconds(second), false, "Cohort", ObjectKey.cluster("c" + second), object);
  }

  /** Text that can't be compressed well. */
  private static String random(Random random) {
    StringBuilder text = new StringBuilder();
    for (int letter = 0; letter < 1000; letter++) {
      text.append((char) (' ' + 1 + random.nextInt(90)));
    }
    return text.toString();
  }

  private static void refused(byte[] file, String why) {
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  private static RecordingReader.Extent read(byte[] file) {
    try {
      return RecordingReader.read(new ByteArrayInputStream(file), change -> {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] zipped(String text) throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(file)) {
      zip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return file.toByteArray();
  }
}
