// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static io.github.kueue4j.sdk.Patient.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.RecordReader;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.lease.LeaderElection;
import io.github.kueue4j.sdk.BackendHealth;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Circumstances;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Guards;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.ProbingCheck;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.objects.Watch;
import io.github.kueue4j.sdk.rbac.MissingRightsException;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where parameters come from, what is said while they make no sense, and what a change does. */
@ExpectedLog(logger = "AdmissionChecks", message = "The AdmissionCheck is no longer Active")
class ParametersTest {

  private static final String CONTROLLER = "example.com/window";
  private static final String SETTINGS = "settings";

  /** How long the window is closed. */
  record Window(Duration closedFor) {
    static Window read(Map<String, String> data) {
      return new Window(Duration.ofHours(Long.parseLong(data.getOrDefault("hours", "none"))));
    }
  }

  private static final ResourceType<CustomResource<Window>> WINDOWS =
      ResourceType.clusterScoped("ops.example.com/v1", "MaintenanceWindow", Window.class);

  private static final Check<Window> CHECK =
      evaluation -> {
        Duration closed = evaluation.parameters().closedFor();
        return closed.isZero()
            ? Verdict.ready("open")
            : Verdict.retry(Reason.of("Closed"), "closed", Delay.exactly(closed));
      };

  private final ManualTime time = ManualTime.create();
  private final KueueSide kueue = new KueueSide(time);
  private final List<AutoCloseable> open = new ArrayList<>(List.of(kueue));

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "core"})
  void aConfigMapOfANamespace(String group) throws Exception {
    refer(group, "ConfigMap");
    configMap("hours", "2");
    run(Parameters.configMap(SETTINGS, Window::read));

    ObjectKey job = kueue.workload("job");
    kueue.reserve(job, "window");

    await().until(() -> kueue.entry(job, "window").is(CheckState.RETRY));
    assertThat(kueue.entry(job, "window").requeueAfterSeconds()).isEqualTo(7200);
    await().until(() -> kueue.active("window").isTrue());
  }

  @Test
  void aConfigMapAsARecordTellsTheKeyThatIsWrong() throws Exception {
    refer("v1", "ConfigMap");
    configMap("closedFor", "all night");
    run(Parameters.configMap(SETTINGS, Window.class));

    awaitBad(
        "the ConfigMap 'cfg' in the namespace 'settings' can't be used: data.closedFor is 'all"
            + " night': write a duration such as 1h30m or 45s");

    configMap("closedFor", "0");
    await().until(() -> kueue.active("window").isTrue());
  }

  @Test
  void aKeyThatTheRecordDoesNotKnowIsRefused() throws Exception {
    refer("v1", "ConfigMap");
    configMap("closedFr", "2h");
    run(Parameters.configMap(SETTINGS, Window.class));

    awaitBad(
        "the ConfigMap 'cfg' in the namespace 'settings' can't be used: data.closedFr is '2h':"
            + " there is no such field; did you mean 'closedFor'?");

    configMap("closedFor", "0", "owner", "team-a");
    awaitBad(
        "the ConfigMap 'cfg' in the namespace 'settings' can't be used: data.owner is 'team-a':"
            + " there is no such field; known are closedFor");
  }

  @Test
  void keysThatAreNotKnownMayBeAllowed() throws Exception {
    refer("v1", "ConfigMap");
    configMap("closedFor", "0", "owner", "team-a");
    run(Parameters.configMap(SETTINGS, Window.class).allowingUnknownKeys());

    await().until(() -> kueue.active("window").isTrue());
  }

  @Test
  void aKeyThatHoldsJsonIsReadByTheAuthor() throws Exception {
    refer("v1", "ConfigMap");
    configMap("window", "{'closedfor': '2h'}");
    run(
        Parameters.configMap(
            SETTINGS,
            data ->
                RecordReader.readWrittenJson(
                    data.getOrDefault("window", "").replace('\'', '"'),
                    Window.class,
                    "data.window")));

    awaitBad(
        "the ConfigMap 'cfg' in the namespace 'settings' can't be used: data.window.closedfor is"
            + " '2h': there is no such field; did you mean 'closedFor'?");
    configMap("window", "closedFor: 2h");
    awaitBad(
        "the ConfigMap 'cfg' in the namespace 'settings' can't be used: data.window is not one JSON"
            + " document");
  }

  /**
   * As when a replica of an older version reads what was written for a newer one: what waits goes
   * on waiting, what runs goes on running, and a delay stays as it is.
   */
  @Test
  void aKeyThatIsNotKnownEndsNothing() throws Exception {
    define();
    refer("ops.example.com", "MaintenanceWindow");
    window("0");
    run(
        Parameters.from(WINDOWS, CustomResource::spec),
        evaluation ->
            evaluation.key().name().equals("delayed")
                ? Verdict.retry(Reason.of("Closed"), "closed", Delay.exactly(Duration.ofHours(9)))
                : Verdict.ready("open"),
        builder -> builder.recheckReadyEvery(Duration.ofMinutes(1)));
    ObjectKey running = kueue.workload("running");
    kueue.reserve(running, "window");
    await().until(() -> kueue.entry(running, "window").is(CheckState.READY));
    kueue.condition(running, "Admitted", true, "Admitted");
    ObjectKey delayed = kueue.workload("delayed");
    kueue.reserve(delayed, "window");
    await().until(() -> Integer.valueOf(9 * 3600).equals(delay(delayed)));
    kueue.evict(delayed, "AdmissionCheck");
    kueue.release(delayed);

    window("0\", clossedFor: \"1h");
    String bad =
        "the MaintenanceWindow 'cfg' can't be used: spec.clossedFor is '1h': there is no such"
            + " field; did you mean 'closedFor'?";
    awaitBad(bad);
    ObjectKey waiting = kueue.workload("waiting");
    kueue.reserve(waiting, "window");
    await()
        .until(
            () ->
                kueue.entry(waiting, "window").message().equals("The check is not active: " + bad));
    time.advance(Duration.ofMinutes(10));

    assertThat(kueue.entry(waiting, "window").is(CheckState.PENDING)).isTrue();
    assertThat(kueue.entry(running, "window").is(CheckState.READY)).isTrue();
    assertThat(delay(delayed)).isEqualTo(9 * 3600);
    window("0");
    await().until(() -> kueue.entry(waiting, "window").is(CheckState.READY));
  }

  @Test
  void aCustomResourceAsARecordOfItsSpec() throws Exception {
    define();
    refer("ops.example.com", "MaintenanceWindow");
    run(Parameters.of(WINDOWS));

    awaitBad(
        "the MaintenanceWindow 'cfg' does not exist: create it, or correct spec.parameters.name");
    window("soon");
    awaitBad(
        "the MaintenanceWindow 'cfg' can't be used: spec.closedFor is 'soon': write a duration such"
            + " as 1h30m or 45s");

    window("0");
    await().until(() -> kueue.active("window").isTrue());
    ObjectKey job = kueue.workload("job");
    kueue.reserve(job, "window");
    await().until(() -> kueue.entry(job, "window").is(CheckState.READY));
  }

  @Test
  void parametersThatNeedNotBeGiven() throws Exception {
    define();
    referToNothing();
    run(Parameters.of(WINDOWS).orElse(new Window(Duration.ofHours(2))));
    ObjectKey job = kueue.workload("job");
    kueue.reserve(job, "window");
    await().until(() -> kueue.entry(job, "window").is(CheckState.RETRY));
    assertThat(kueue.entry(job, "window").requeueAfterSeconds()).isEqualTo(7200);

    refer("ops.example.com", "Other");
    awaitBad(
        "spec.parameters names a Other of group 'ops.example.com', which this check can't use:"
            + " write {apiGroup: ops.example.com, kind: MaintenanceWindow, name: cfg}");
  }

  @Test
  void parametersThatNeedNotBeGivenAndWhoseKindIsNotInstalled() throws Exception {
    referToNothing();
    run(Parameters.of(WINDOWS).orElse(new Window(Duration.ZERO)));
    ObjectKey job = kueue.workload("job");
    kueue.reserve(job, "window");
    await().until(() -> kueue.entry(job, "window").is(CheckState.READY));

    refer("ops.example.com", "MaintenanceWindow");
    awaitBad(
        "the kind MaintenanceWindow is not installed: install the CustomResourceDefinition"
            + " maintenancewindows.ops.example.com, or leave out spec.parameters");

    define();
    await()
        .until(
            () -> {
              time.advance(Duration.ofSeconds(10));
              return kueue.active("window").message().contains("does not exist");
            });
    window("2h");
    await().until(() -> kueue.active("window").isTrue());
    ObjectKey next = kueue.workload("next");
    kueue.reserve(next, "window");
    await().until(() -> kueue.entry(next, "window").is(CheckState.RETRY));
    assertThat(kueue.entry(next, "window").requeueAfterSeconds()).isEqualTo(7200);
  }

  @Test
  void theAuthorsOwnParserRefuses() throws Exception {
    define();
    refer("ops.example.com", "MaintenanceWindow");
    window("25h");
    run(
        Parameters.of(
            WINDOWS,
            window -> {
              if (window.closedFor().compareTo(Duration.ofHours(24)) > 0) {
                throw new IllegalArgumentException("spec.closedFor is 25h: write at most 24h");
              }
              return window;
            }));

    awaitBad("the MaintenanceWindow 'cfg' can't be used: spec.closedFor is 25h: write at most 24h");
  }

  @Test
  void aReferenceToAnotherKindSaysWhatToWrite() throws Exception {
    refer("apps", "Deployment");
    run(Parameters.configMap(SETTINGS, Window::read));

    awaitBad(
        "spec.parameters names a Deployment of group 'apps', which this check can't use: write"
            + " {apiGroup: v1, kind: ConfigMap, name: cfg}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          retry: {baseDelay: 1m} | The admission check is active; spec.retry has no effect, since this check names the delay of each Retry: leave it out, and bound its delays by spec.retryLimits
          retry: {baseDelay: 1m}, pendingTimeoutSeconds: 60 | The admission check is active
          retryLimits: {maxRetries: 3} | The admission check is active
          parameters: {apiGroup: v1, kind: ConfigMap, name: cfg} | spec.parameters names the ConfigMap 'cfg' of group 'v1', and this check has no parameters: leave out spec.parameters
          """)
  void whatHasNoEffectIsTold(String fields, String message) throws Exception {
    kueue
        .server()
        .apply(
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: AdmissionCheck
            metadata: {name: window}
            spec: {controllerName: example.com/window, %s}
            """
                .formatted(fields));
    ClusterConnection cluster = kueue.connect("window");
    open.add(cluster);
    CheckController controller =
        CheckController.builder(CONTROLLER, CheckEnvironment.of(cluster, time))
            .namesDelays()
            .check(evaluation -> Verdict.ready("open"))
            .build();
    open.add(controller);
    controller.start();

    await().until(() -> !kueue.active("window").reason().equals("Unset"));
    assertThat(kueue.active("window").message()).isEqualTo(message);
    assertThat(kueue.active("window").isTrue()).isEqualTo(message.startsWith("The admission"));
  }

  @Test
  void whatNamesNoFlavorIsToldAndAMisspeltResourceWhileWorkloadsAskForAnother() throws Exception {
    refer("v1", "ConfigMap");
    configMap("hours", "0");
    run(
        Parameters.configMap(SETTINGS, Window::read),
        new Check<>() {
          @Override
          public Verdict evaluate(Evaluation<Window> evaluation) {
            return Verdict.ready("open");
          }

          @Override
          public List<String> remarks(Window window, Circumstances at) {
            return Stream.of(
                    at.unknownFlavors("data.flavors", Set.of("absent-flavor")),
                    at.misspelt("data.resources", Set.of("cpus", "memory")))
                .flatMap(Optional::stream)
                .toList();
          }
        },
        builder -> builder);
    await().until(() -> kueue.active("window").isTrue());
    String flavors =
        "The admission check is active; its parameters: data.flavors names absent-flavor, and there is"
            + " no such ResourceFlavor: correct the name, or create it";
    assertThat(kueue.active("window").message()).isEqualTo(flavors);

    kueue.workload("job");
    await()
        .until(
            () -> {
              time.advance(Duration.ofSeconds(10));
              return kueue
                  .active("window")
                  .message()
                  .equals(
                      flavors
                          + "; its parameters: data.resources names cpus, which no Workload asks"
                          + " for, and Workloads ask for cpu: correct the name");
            });
    assertThat(kueue.active("window").isTrue()).isTrue();
  }

  @Test
  void aMovedWindowEndsTheDelaysThatItMade() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    refer("v1", "ConfigMap");
    configMap("hours", "14");
    run(
        Parameters.configMap(SETTINGS, Window::read),
        evaluation -> {
          calls.incrementAndGet();
          return CHECK.evaluate(evaluation);
        },
        builder -> builder);
    ObjectKey job = kueue.workload("job");
    kueue.reserve(job, "window");
    await().until(() -> Integer.valueOf(14 * 3600).equals(delay(job)));
    kueue.evict(job, "AdmissionCheck");
    kueue.release(job);

    configMap("hours", "0");

    await().until(() -> Integer.valueOf(0).equals(delay(job)));
    assertThat(kueue.entry(job, "window").message())
        .isEqualTo("The parameters of this check have changed: its delay has ended");
    assertThat(kueue.entry(job, "window").is(CheckState.RETRY)).isTrue();
    assertThat(calls).as("it isn't asked without quota").hasValue(1);
  }

  @Test
  void aProbeThatHangsDoesNotHoldUpTheNews() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch hangs = new CountDownLatch(1);
    AtomicInteger probes = new AtomicInteger();
    refer("v1", "ConfigMap");
    configMap("hours", "14");
    run(
        Parameters.configMap(SETTINGS, Window::read),
        new ProbingCheck<>() {
          @Override
          public Verdict evaluate(Evaluation<Window> evaluation) throws Exception {
            return CHECK.evaluate(evaluation);
          }

          @Override
          public BackendHealth probe(String check, Window parameters) throws Exception {
            if (probes.incrementAndGet() > 1) {
              hangs.countDown();
              end.await();
            }
            return BackendHealth.up();
          }
        },
        builder -> builder.guards(Guards.defaults().withTimeout(Duration.ofMinutes(10))));
    ObjectKey job = kueue.workload("job");
    kueue.reserve(job, "window");
    await().until(() -> Integer.valueOf(14 * 3600).equals(delay(job)));
    kueue.evict(job, "AdmissionCheck");
    kueue.release(job);
    await()
        .until(
            () -> {
              time.advance(Duration.ofSeconds(10));
              return hangs.getCount() == 0;
            });

    configMap("hours", "0");

    await().until(() -> Integer.valueOf(0).equals(delay(job)));
    end.countDown();
  }

  /** What was asked is answered; what comes later waits, and says why. */
  @Test
  void parametersThatAreDeletedWhileACheckThinks() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    refer("v1", "ConfigMap");
    configMap("hours", "0");
    run(
        Parameters.configMap(SETTINGS, Window::read),
        evaluation -> {
          asked.countDown();
          answer.await();
          return CHECK.evaluate(evaluation);
        },
        builder -> builder);
    ObjectKey first = kueue.workload("first");
    kueue.reserve(first, "window");
    asked.await();

    kueue
        .api()
        .delete(CoreTypes.CONFIG_MAP, new ObjectKey(SETTINGS, "cfg"), DeleteOptions.background());
    awaitBad(
        "the ConfigMap 'cfg' in the namespace 'settings' does not exist: create it, or correct"
            + " spec.parameters.name");
    answer.countDown();
    await().until(() -> kueue.entry(first, "window").is(CheckState.READY));

    ObjectKey second = kueue.workload("second");
    kueue.reserve(second, "window");
    await()
        .until(
            () ->
                kueue
                    .entry(second, "window")
                    .message()
                    .startsWith("The check is not active: the ConfigMap 'cfg'"));
    assertThat(kueue.entry(second, "window").is(CheckState.PENDING)).isTrue();
    configMap("hours", "0");
    await().until(() -> kueue.entry(second, "window").is(CheckState.READY));
  }

  @Test
  void aReaderThatComplainsAtLengthIsCut() throws Exception {
    refer("v1", "ConfigMap");
    configMap("hours", "0");
    run(
        Parameters.configMap(
            SETTINGS,
            data -> {
              throw new IllegalArgumentException("no".repeat(500_000));
            }));

    await().until(() -> kueue.active("window").reason().equals("BadParametersRef"));
    assertThat(kueue.active("window").message()).hasSizeLessThan(5000).endsWith(" ...");
  }

  @Test
  void rightsThatAreMissingAreNamedAtTheStart() {
    refer("v1", "ConfigMap");
    ClusterConnection cluster = kueue.connect("poor");
    open.add(cluster);
    CheckController.Builder builder =
        CheckController.builder(CONTROLLER, CheckEnvironment.of(cluster, time));
    builder.watch(Watch.of(CoreTypes.NODE));
    builder.watch(Watch.of(CoreTypes.SECRET).inNamespace(SETTINGS).named("key"));
    CheckController controller =
        builder.check(Parameters.configMap(SETTINGS, Window::read), CHECK).build();
    open.add(controller);

    assertThatThrownBy(controller::start)
        .isInstanceOf(MissingRightsException.class)
        .hasMessage(
            "the account of the controller example.com/window may not list and watch nodes; nor"
                + " list and watch secrets in the namespace 'settings'; nor list and watch configmaps"
                + " in the namespace 'settings': './kueue4j rbac --controller-name"
                + " example.com/window -n "
                + KueueSide.NAMESPACE
                + " --name poor --watch nodes --watch secrets:settings --parameters"
                + " configmaps:settings' prints roles that grant it; add what else its role has");
  }

  @Test
  void theRemedyNamesWhatIsKnownAndThatThereMayBeMore() {
    define();
    ClusterConnection cluster =
        kueue.connect("poor", may -> may.reading("maintenancewindows.ops.example.com", ""));
    open.add(cluster);
    CheckController.Builder builder =
        CheckController.builder(
            "kueue4j.io/window",
            CheckEnvironment.of(cluster, time)
                .withHosting(
                    host -> host.leaderElection(LeaderElection.named(SETTINGS, "window-check"))));
    builder.resources();
    CheckController controller =
        builder.check(Parameters.of(WINDOWS).reportingStatus(), CHECK).build();
    open.add(controller);

    assertThatThrownBy(controller::start)
        .isInstanceOf(MissingRightsException.class)
        .hasMessage(
            "the account of the controller kueue4j.io/window may not get and patch"
                + " leases.coordination.k8s.io in the namespace 'settings': in a Helm release the"
                + " chart's values grant it; elsewhere './kueue4j rbac --controller-name"
                + " kueue4j.io/window -n "
                + KueueSide.NAMESPACE
                + " --name poor --parameters maintenancewindows.ops.example.com"
                + " --status maintenancewindows.ops.example.com --lease settings/window-check'"
                + " prints roles that grant it; add what else its role has, such as by --own, --change"
                + " or --secret");
  }

  @Test
  void whatCannotWorkIsRefusedBeforeTheStart() {
    ClusterConnection cluster = kueue.connect("wrong");
    open.add(cluster);
    CheckController.Builder builder = CheckController.builder(CONTROLLER, cluster);

    assertThatThrownBy(() -> builder.check(Parameters.from(CoreTypes.CONFIG_MAP), e -> null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the parameters of the controller example.com/window are configmaps, which live in"
                + " namespaces: say in which with Parameters.from(...).inNamespace(\"team-a\")");
    assertThatThrownBy(() -> Parameters.none().allowingUnknownKeys())
        .hasMessageContaining("reads no keys");
    assertThatThrownBy(() -> Parameters.configMap(" ", Window::read))
        .hasMessageContaining("its name is empty");
    assertThatThrownBy(() -> Watch.of(CoreTypes.NODE).inNamespace("team-a"))
        .hasMessageContaining("they live in none");
    assertThatThrownBy(() -> Parameters.of(WINDOWS).inNamespace("team-a"))
        .hasMessageContaining("a MaintenanceWindow lives in no namespace");
    builder.check(evaluation -> Verdict.ready("fine"));
    assertThatThrownBy(() -> builder.check(evaluation -> Verdict.ready("another")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the controller example.com/window has a check already");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "license", "example.com/", "/license", "Example.com/license", "a/b/c"})
  void aControllerNeedsAQualifiedName(String name) {
    ClusterConnection cluster = kueue.connect("named");
    open.add(cluster);

    assertThatThrownBy(() -> CheckController.builder(name, cluster))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("'" + name + "' can't be the name of a check controller")
        .hasMessageContaining("such as example.com/license");
  }

  private @Nullable Integer delay(ObjectKey job) {
    return kueue.entry(job, "window").requeueAfterSeconds();
  }

  private void awaitBad(String message) {
    await().until(() -> kueue.active("window").message().equals(message));
    assertThat(kueue.active("window").isFalse()).isTrue();
    assertThat(kueue.active("window").reason()).isEqualTo("BadParametersRef");
  }

  private void run(Parameters<Window> parameters) throws InterruptedException {
    run(parameters, CHECK, builder -> builder);
  }

  private void run(
      Parameters<Window> parameters,
      Check<Window> check,
      UnaryOperator<CheckController.Builder> options)
      throws InterruptedException {
    ClusterConnection cluster =
        kueue.connect(
            "window",
            permissions ->
                permissions.reading("configmaps", SETTINGS).reading(WINDOWS.qualifiedName(), ""));
    open.add(cluster);
    CheckController controller =
        options
            .apply(CheckController.builder(CONTROLLER, CheckEnvironment.of(cluster, time)))
            .check(parameters, check)
            .build();
    open.add(controller);
    controller.start();
  }

  private void referToNothing() {
    kueue
        .server()
        .apply(
            """
            {apiVersion: v1, kind: Namespace, metadata: {name: settings}}
            ---
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: AdmissionCheck
            metadata: {name: window}
            spec: {controllerName: example.com/window}
            """);
  }

  private void refer(String group, String kind) {
    kueue
        .server()
        .apply(
            """
            {apiVersion: v1, kind: Namespace, metadata: {name: settings}}
            ---
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: AdmissionCheck
            metadata: {name: window}
            spec:
              controllerName: example.com/window
              parameters: {apiGroup: %s, kind: %s, name: cfg}
            """
                .formatted(group, kind));
  }

  private void configMap(String... data) {
    StringBuilder yaml =
        new StringBuilder(
            "{apiVersion: v1, kind: ConfigMap, metadata: {namespace: settings, name: cfg}, data: {");
    for (int i = 0; i < data.length; i += 2) {
      yaml.append("%s: \"%s\", ".formatted(data[i], data[i + 1]));
    }
    kueue.server().apply(yaml.append("}}").toString());
  }

  private void define() {
    kueue
        .server()
        .apply(
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: maintenancewindows.ops.example.com}
            spec:
              group: ops.example.com
              scope: Cluster
              names: {kind: MaintenanceWindow, plural: maintenancewindows, singular: maintenancewindow}
              versions:
                - name: v1
                  served: true
                  storage: true
                  schema:
                    openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
            """);
  }

  private void window(String closedFor) {
    kueue
        .server()
        .apply(
            """
            {apiVersion: ops.example.com/v1, kind: MaintenanceWindow, metadata: {name: cfg},
             spec: {closedFor: "%s"}}
            """
                .formatted(closedFor));
  }
}
