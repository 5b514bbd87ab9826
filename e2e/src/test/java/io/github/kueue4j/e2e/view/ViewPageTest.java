// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ApiTime;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.config.ViewSettings;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.ListOptions;
import io.github.kueue4j.runtime.MergePatch;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page in a browser: every view, its accessibility, names that try to be scripts, and a core
 * that goes and comes back. With {@code -Dkueue4j.screenshots.write=true} it makes the pictures in
 * docs/images.
 */
class ViewPageTest {
  private static final Path IMAGES = Path.of("..", "docs", "images");
  private static final boolean WRITE = Boolean.getBoolean("kueue4j.screenshots.write");
  private static final String HOSTILE = "<img src=x onerror=document.title='taken'>";

  @TempDir private Path folder;

  @Test
  void everyViewIsReadableByEveryoneAndSurvivesABreak() throws Exception {
    try (Browser browser = Browser.start(folder);
        TimeSource time = TimeSource.system();
        Playground playground =
            Playground.start(
                new Playground.Options(
                    0,
                    Playground.quietConfiguration().withView(ViewSettings.onLoopback(0)),
                    Set.of(),
                    Duration.ofHours(1)),
                time);
        ClusterConnection connection = playground.target().connect("test")) {
      KubernetesApi api = connection.api();
      Manifests.load(scene()).createIn(api, manifest -> {});
      activate(api);
      awaitReserved(api);
      delay(api, time, "No seat is free before the evening.");
      String address = playground.viewAddress().orElseThrow();

      look(browser, address, "quota", "engineering");
      look(browser, address, "queues", "LocalQueues");
      look(browser, address, "workloads", "train-resnet");
      look(browser, address, "backoff", "licence");
      look(browser, address, "checks", "attempt 1");
      look(browser, address, "sharing", "Past usage");
      look(browser, address, "events", "Quota reserved");
      look(browser, address, "workloads?open=research/delayed", "Next wake-up");
      delay(api, time, "No seat is free. " + HOSTILE);
      browser.awaitText(HOSTILE);
      assertThat(browser.run("return document.title").getAsString())
          .as("a message of a check is text")
          .doesNotContain("taken");
      assertThat(browser.complaints()).isEmpty();

      playground.crashCore();
      browser.awaitText("Disconnected");
      playground.startCore();
      browser.awaitText("Live");
    }
  }

  /** Opens a view in both colours; each must show a text and break no rule of accessibility. */
  private void look(Browser browser, String address, String view, String shown) throws Exception {
    browser.open("about:blank");
    browser.open(address + "#/" + view);
    browser.awaitText(shown);
    for (String theme : List.of("light", "dark")) {
      browser.run(
          "if (document.documentElement.dataset.theme !== arguments[0])"
              + " document.getElementById('theme').click()",
          theme);
      assertThat(violations(browser)).as(view + ", " + theme).isEqualTo("[]");
      if (WRITE) {
        Files.createDirectories(IMAGES);
        String name = view.contains("open=") ? "workload" : view;
        Files.write(IMAGES.resolve("view-" + name + "-" + theme + ".png"), browser.screenshot());
      }
    }
  }

  private static String violations(Browser browser) throws Exception {
    browser.run(axe());
    return browser
        .runAsync(
            """
            const done = arguments[arguments.length - 1];
            axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] }).then((found) =>
              done(JSON.stringify(found.violations.map((each) => [each.id,
                each.nodes.map((node) => node.html + " " + node.failureSummary)]))),
              (problem) => done(String(problem)));
            """)
        .getAsString();
  }

  private static String axe() throws IOException {
    try (InputStream in = ViewPageTest.class.getResourceAsStream("/axe.min.js")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private Path scene() throws IOException {
    Path file = folder.resolve("scene.yaml");
    try (InputStream in = ViewPageTest.class.getResourceAsStream("scene.yaml")) {
      Files.copy(in, file);
    }
    return folder;
  }

  private static MergePatch merge(String json) {
    return new MergePatch(JsonParser.parseString(json).getAsJsonObject());
  }

  private static void activate(KubernetesApi api) {
    api.patchStatus(
        KueueTypes.ADMISSION_CHECK,
        ObjectKey.cluster("licence"),
        merge(
            """
            {"status": {"conditions": [{"type": "Active", "status": "True", "reason": "Active",
              "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}
            """));
  }

  private static void awaitReserved(KubernetesApi api) {
    await()
        .until(
            () ->
                api.list(KueueTypes.WORKLOAD, ListOptions.all()).items().stream()
                        .filter(workload -> workload.conditions().reserved())
                        .count()
                    >= 5);
  }

  /** A check asks for a retry. */
  private static void delay(KubernetesApi api, TimeSource time, String message) {
    ObjectKey key = new ObjectKey("research", "delayed");
    await()
        .until(
            () -> api.get(KueueTypes.WORKLOAD, key),
            found ->
                found
                    .filter(workload -> workload.status().admissionCheck("licence").isPresent())
                    .isPresent());
    api.patchStatus(
        KueueTypes.WORKLOAD,
        key,
        merge(
            """
            {"status": {"admissionChecks": [{"name": "licence", "state": "Retry", "message":
              "%s", "lastTransitionTime": "%s", "requeueAfterSeconds": 5400}]}}
            """
                .formatted(message, ApiTime.format(time.instant()))));
    await()
        .until(
            () -> api.get(KueueTypes.WORKLOAD, key),
            found -> found.orElseThrow().conditions().heldForDelay());
  }
}
