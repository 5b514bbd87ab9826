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
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page in a browser: every view, its accessibility, names that try to be scripts, and a core
 * that goes and comes back. With {@code -Dkueue4j.screenshots.write=true} it makes the pictures in
 * docs/images.
 */
@Order(1)
class ViewPageTest {
  private static final Path IMAGES = Checkout.root().resolve("docs/images");
  private static final boolean WRITE = Boolean.getBoolean("kueue4j.screenshots.write");
  private static final String HOSTILE = "<img src=x onerror=document.title='taken'>";

  private static final String RETURN_TO_THE_PAGE =
      "document.dispatchEvent(new Event('visibilitychange'))";

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
      lookAtShares(browser, address);
      lookAtBudgets(browser, address);
      look(browser, address, "events", "licence: Retry");
      look(browser, address, "workloads?open=research/delayed", "Next wake-up");
      delay(api, time, "No seat is free. " + HOSTILE);
      await()
          .until(
              () -> {
                browser.run(RETURN_TO_THE_PAGE);
                return browser.text();
              },
              text -> text.contains(HOSTILE));
      assertThat(browser.run("return document.title").getAsString())
          .as("a message of a check is text")
          .doesNotContain("taken");
      assertThat(browser.complaints()).isEmpty();

      useTheKeyboard(browser, address);
      scrollThroughTenThousand(browser, address);
      assertThat(browser.complaints()).isEmpty();

      open(browser, address);
      browser.awaitText("Live");
      playground.crashCore();
      browser.awaitText("Disconnected");
      playground.startCore();
      browser.awaitText("Live");
    }
  }

  private static void awaitTrue(Browser browser, String condition) {
    await()
        .alias(condition)
        .until(() -> browser.run("return Boolean(" + condition + ")").getAsBoolean());
  }

  /** Links that no view has, the skip link, and the way into a Workload and back. */
  private static void useTheKeyboard(Browser browser, String address) throws Exception {
    open(browser, address + "#/constructor?search=a");
    awaitTrue(browser, "document.querySelector('h1').textContent === 'Quota'");
    browser.awaitText("engineering");

    open(browser, address + "#/workloads?search=delayed");
    browser.awaitText("1 Workload");
    browser.run(
        """
        for (const key of [{ key: "/" }, { key: "k", ctrlKey: true }]) {
          window.focused = [...(window.focused ?? []), document.activeElement.id];
          document.body.dispatchEvent(new KeyboardEvent("keydown", { ...key, bubbles: true }));
        }
        """);
    assertThat(
            browser
                .run("return window.focused.join() + ' ' + document.activeElement.id")
                .getAsString())
        .as("where the focus is before and after / and Ctrl+K")
        .isEqualTo(", search");
    browser.run("document.querySelector('.skip').click()");
    assertThat(browser.run("return location.hash + ' ' + document.activeElement.id").getAsString())
        .isEqualTo("#/workloads?search=delayed content");
    assertThat(
            browser
                .run(
                    """
                    return document.querySelectorAll(
                      '.vlist-body :not([tabindex="-1"]):is(a, [tabindex])').length
                    """)
                .getAsInt())
        .as("stops of the Tab key among the rows")
        .isEqualTo(1);

    browser.run(
        """
        const row = document.querySelector('.vlist-body [data-index="0"]');
        row.focus();
        row.firstChild.dataset.drawn = "before";
        """);
    browser.run(RETURN_TO_THE_PAGE);
    awaitTrue(browser, "!document.querySelector('.vlist-body [data-drawn]')");
    assertThat(browser.run("return document.activeElement.dataset.index").getAsString())
        .as("the row that has the focus after it was drawn anew")
        .isEqualTo("0");
    browser.run(
        """
        const row = document.activeElement;
        row.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
        """);
    browser.awaitText("Who acts");
    browser.run("document.querySelector('dialog summary').click()");
    browser.run("document.querySelector('dialog details').dataset.drawn = 'before'");
    browser.run(RETURN_TO_THE_PAGE);
    awaitTrue(browser, "document.querySelector('dialog details:not([data-drawn])')");
    awaitTrue(browser, "document.querySelector('dialog details').open");
    browser.run("document.querySelector('dialog [aria-label=Close]').click()");
    awaitTrue(browser, "document.activeElement.textContent.includes('delayed')");
    awaitTrue(browser, "document.activeElement.getAttribute('role') === 'row'");
  }

  /** The rows that exist don't grow with the list, and the last one is reached. */
  private static void scrollThroughTenThousand(Browser browser, String address) throws Exception {
    open(browser, address + "#/queues");
    browser.awaitText("LocalQueues");
    browser.run(
        """
        const real = window.fetch;
        window.fetch = async (path, options) => {
          if (!path.startsWith("view/v1/workloads")) return real(path, options);
          const query = new URLSearchParams(path.split("?")[1]);
          const offset = Number(query.get("offset"));
          const items = Array.from({ length: Math.min(100, 10000 - offset) }, (none, index) => ({
            namespace: "many", name: "workload-" + (offset + index), phase: "QUEUED",
            place: offset + index + 1, requests: { cpu: 1 }, reason: "Pending", message: "",
            created: "2026-01-01T00:00:00Z", delays: [], checks: [] }));
          return new Response(JSON.stringify(
            { total: 10000, phases: { QUEUED: 10000 }, offset, items }));
        };
        location.hash = "#/workloads";
        """);
    browser.awaitText("10,000 Workloads");
    for (int row : List.of(0, 137, 5_000, 9_999)) {
      browser.run("document.querySelector('.vlist').scrollTop = arguments[0] * 52", row);
      browser.awaitText("workload-" + row + "\n");
      assertThat(browser.run("return document.querySelectorAll('.vlist-row').length").getAsInt())
          .as("rows in the document at %d", row)
          .isBetween(10, 60);
    }
  }

  private static void open(Browser browser, String address) throws Exception {
    browser.open("about:blank");
    browser.open(address);
  }

  /** Opens a view in both colours; each must show a text and break no rule of accessibility. */
  private void look(Browser browser, String address, String view, String shown) throws Exception {
    open(browser, address + "#/" + view);
    browser.awaitText(shown);
    lookInBothColours(browser, view);
  }

  /** Two hours of shares and of past usage, for which no test can wait. */
  private void lookAtShares(Browser browser, String address) throws Exception {
    open(browser, address + "#/sharing");
    browser.awaitText("Past usage isn't counted");
    assertThat(browser.text()).contains("from the second minute on");
    open(browser, address + "#/queues");
    browser.awaitText("LocalQueues");
    browser.run(
        """
        const times = Array.from({ length: 121 }, (none, index) =>
          new Date(Date.now() - (120 - index) * 60000).toISOString());
        const wave = (phase, most) => times.map((time, index) =>
          Math.max(0, Math.round(most * Math.sin(index / 19 + phase))));
        const real = window.fetch;
        window.fetch = async (path, options) => {
          if (path.startsWith("view/v1/history")) {
            return new Response(JSON.stringify({ times,
              shares: [
                { kind: "Cohort", name: "engineering", values: wave(1, 118) },
                { kind: "ClusterQueue", name: "team-a", values: wave(1, 235) } ],
              usage: ["research", "team-a", "team-b"].map((namespace, index) =>
                ({ namespace, name: "main", values: wave(0.4 + index, 40 / (index + 1)) })) }));
          }
          const response = await real(path, options);
          if (!path.startsWith("view/v1/queues")) return response;
          const body = await response.json();
          body.localQueues.forEach((queue, index) => {
            queue.pastUsage = { compared: 38 / (index + 1), consumed: { cpu: "" + (index + 2) },
              sampled: body.time };
          });
          return new Response(JSON.stringify(body));
        };
        location.hash = "#/sharing";
        """);
    browser.awaitText("Last 2h");
    assertThat(
            browser
                .run(
                    """
                    return document.querySelector('.line[aria-label^="share of team-a since"]')
                      .getAttribute("aria-label")
                    """)
                .getAsString())
        .contains("at most 235, at last ");
    lookInBothColours(browser, "sharing");
  }

  /** No budget is booked here: none is offered, and what the core would say is made up. */
  private void lookAtBudgets(Browser browser, String address) throws Exception {
    open(browser, address + "#/queues");
    browser.awaitText("LocalQueues");
    awaitTrue(
        browser,
        "performance.getEntriesByType('resource')"
            + ".some((each) => each.name.endsWith('budgets/offered') && each.responseEnd > 0)");
    assertThat(browser.run("return document.getElementById('nav').textContent").getAsString())
        .doesNotContain("Budgets");
    browser.run(
        """
        const uses = [["team-a", "", 4120, 310, 7400, 6000], ["research", "", 1980, 650, 3100, 4000],
          ["team-b", "", 420, 0, 700, undefined]];
        const use = ([namespace, queue, used, reserved, forecast, limit]) =>
          ({ namespace, queue, used, running: reserved / 2, reserved, forecast, limit });
        const months = Array.from({ length: 9 }, (none, index) =>
          new Date(Date.UTC(2026, index, 1)).toISOString());
        const real = window.fetch;
        window.fetch = async (path, options) => path.startsWith("view/v1/budgets")
          ? new Response(JSON.stringify({ time: new Date().toISOString(), budgets: [{
              policy: "gpu-money", unit: "EUR", since: "2026-10-01T00:00:00Z",
              until: "2026-11-01T00:00:00Z", namespaces: uses.map(use),
              queues: [["research", "gpus", 1200, 650, 2100, 1500], ["research", "main", 780, 0, 1000]].map(use),
              users: [["research", "gpus", 1200, 650, 2100]].map(use).map((each) => ({ ...each, user: "ada" })),
              past: months.map((from, index) => ({ from, used: 3000 + 900 * Math.sin(index) })),
              notes: ["The policy goes by what a server measures, too: more than this may count."] }] }))
          : real(path, options);
        location.hash = "#/budgets";
        """);
    browser.awaitText("Windows before");
    assertThat(browser.text()).contains("gpu-money", "ada in research/gpus", "4,120");
    assertThat(
            browser
                .run(
                    "return document.querySelector('.bar[aria-label^=\"team-a:\"]')"
                        + ".getAttribute('aria-label')")
                .getAsString())
        .isEqualTo("team-a: 4,120 used, 310 reserved of 6,000, 7,400 foreseen");
    lookInBothColours(browser, "budgets");
  }

  private void lookInBothColours(Browser browser, String view) throws Exception {
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
