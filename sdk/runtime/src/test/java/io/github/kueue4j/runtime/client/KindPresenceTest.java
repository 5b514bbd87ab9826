// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.ScriptedServer;
import io.github.kueue4j.runtime.ScriptedServer.Answer;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("quick")
@ExpectedLog(logger = "KindPresence", message = "The server doesn't serve this resource any more")
class KindPresenceTest {
  private static final ResourceType<V1ConfigMap> THING =
      ResourceType.of("example.com/v1", "Thing", V1ConfigMap.class);

  private static final String LIST = "/apis/example.com/v1/things";
  private static final String GROUPS = "/apis";
  private static final String V1 = "/apis/example.com/v1";
  private static final String V2 = "/apis/example.com/v2";

  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private final ScriptedServer server =
      new ScriptedServer(
          (request, answer) -> answer(Objects.requireNonNull(answers.get(request.path())), answer));
  private final ManualTime time = ManualTime.create();
  private boolean nothingDependsOnIt;
  private final ClusterConnection connection =
      ClusterConnection.builder("test").url(server.uri()).open();
  private final HttpApi api = new HttpApi(connection.callsOf(this));

  @AfterEach
  void close() {
    connection.close();
    server.close();
    time.close();
  }

  private KindPresence presence() {
    return new KindPresence(THING, Optional.of(() -> nothingDependsOnIt), time, () -> 1);
  }

  /** What the server answers: one of these words, or the versions of the group. */
  private static void answer(String what, Answer answer) throws IOException {
    switch (what) {
      case "list" -> answer.json(200, ScriptedServer.listJson("1"));
      case "status" -> answer.status(404, "NotFound", "no such resource");
      case "path" -> answer.json(404, "404 page not found\n");
      case "html" -> answer.json(404, "<html>404 page not found</html>");
      case "page" -> answer.json(200, "<html>Welcome</html>");
      case "odd" -> answer.json(200, "{}");
      case "403" -> answer.status(403, "Forbidden", "not allowed");
      case "503" -> answer.status(503, "ServiceUnavailable", "not now");
      case "without", "with" ->
          answer.json(
              200,
              "{\"kind\": \"APIResourceList\", \"resources\": [{\"name\": \"others\"}, {\"name\": \""
                  + (what.equals("with") ? "things" : "things/status")
                  + "\"}]}");
      case "cluster" ->
          answer.json(
              200,
              "{\"kind\": \"APIResourceList\", \"resources\":"
                  + " [{\"name\": \"things\", \"namespaced\": false}]}");
      default ->
          answer.json(
              200,
              "{\"kind\": \"APIGroupList\", \"groups\": [{\"name\": \"apps\", \"versions\": [{\"version\":"
                  + " \"v1\"}]}, {\"name\": \"example.com\", \"versions\": ["
                  + Arrays.stream(what.replace("none", "").split(" ", -1))
                      .filter(version -> !version.isEmpty())
                      .map(version -> "{\"version\": \"" + version + "\"}")
                      .collect(Collectors.joining(", "))
                  + "]}]}");
    }
  }

  /** Looks at the list, as an informer does. */
  private boolean absent(KindPresence presence) {
    try {
      api.list(THING, ListOptions.all());
      return !presence.listed(THING, api);
    } catch (KubernetesApiException e) {
      return presence.isAbsent(e, api);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      useHeadersInDisplayName = true,
      textBlock =
          """
          list   | groups | v1      | v2      | absent | gone
          path   | none   | path    | path    | true   | true
          status | none   | status  | status  | true   | true
          path   | v1     | without | path    | true   | true
          path   | v1 v2  | without | without | true   | true
          path   | v2     | path    | without | true   | true
          path   | v2     | without | without | true   | true
          html   | none   | path    | path    | false  | false
          503    | none   | path    | path    | false  | false
          path   | v1     | with    | path    | false  | false
          path   | v1     | path    | path    | false  | false
          path   | none   | with    | path    | false  | false
          path   | none   | html    | path    | false  | false
          path   | none   | 503     | path    | false  | false
          path   | v2     | path    | with    | true   | false
          path   | v1 v2  | without | with    | true   | false
          path   | v1 v2  | without | path    | true   | false
          path   | v1 v2  | without | 503     | true   | false
          path   | v1     | page    | path    | false  | false
          path   | v1     | odd     | path    | false  | false
          path   | path   | path    | path    | false  | false
          path   | status | path    | path    | false  | false
          path   | page   | path    | path    | false  | false
          path   | odd    | path    | path    | false  | false
          path   | 403    | path    | path    | false  | false
          path   | 503    | path    | path    | false  | false
          """)
  void absenceIsConfirmedByDiscovery(
      String list, String groups, String v1, String v2, boolean absent, boolean gone) {
    answers.putAll(Map.of(LIST, list, GROUPS, groups, V1, v1, V2, v2));
    KindPresence unknown = presence();
    assertThat(absent(unknown)).as("before the first list").isEqualTo(absent);
    assertThat(unknown.served()).isEqualTo(!absent);
    KindPresence known = presence();
    answers.put(V1, "with");
    known.listed(THING, api);
    answers.put(V1, v1);
    assertThat(absent(known)).as("once it was served").isFalse();
    assertThat(known.isMissing()).isEqualTo(gone);
    time.advance(KindPresence.PROOF.minusMillis(1));
    assertThat(absent(known)).isFalse();
    assertThat(known.served()).isTrue();
    time.advance(Duration.ofMillis(1));
    assertThat(absent(known)).as("two minutes later").isEqualTo(gone);
    assertThat(known.served()).isEqualTo(!gone);
  }

  @Test
  void everyLookMustConfirmIt() {
    Map<String, String> gone = Map.of(LIST, "path", GROUPS, "none", V1, "path");
    KindPresence presence = presence();
    for (Map<String, String> between :
        List.of(Map.of(LIST, "html"), Map.of(GROUPS, "503"), Map.of(LIST, "list"))) {
      answers.put(V1, "with");
      presence.listed(THING, api);
      answers.putAll(gone);
      assertThat(absent(presence)).isFalse();
      time.advance(KindPresence.PROOF);
      answers.putAll(between);
      assertThat(absent(presence)).isFalse();
      answers.putAll(gone);
      assertThat(absent(presence)).as("it counts from now on").isFalse();
      time.advance(KindPresence.PROOF);
      assertThat(absent(presence)).isTrue();
      assertThat(presence.served()).isFalse();
      answers.put(GROUPS, "503");
      assertThat(absent(presence)).as("there is nothing to lose").isTrue();
    }
    presence.listed(THING, api);
    assertThat(presence.served()).isTrue();
  }

  @Test
  void aRefusalProvesNothing() {
    answers.put(LIST, "403");
    KindPresence presence = presence();
    assertThat(absent(presence)).isFalse();
    assertThat(presence.served()).isTrue();
  }

  @Test
  @ExpectedLog(logger = "KindPresence", message = "may not list this resource")
  void aRefusalIsPutUpWithFromTheStartWhileNothingDependsOnTheObjects() {
    answers.put(LIST, "403");
    KindPresence presence = presence();
    nothingDependsOnIt = true;
    assertThat(absent(presence)).isTrue();
    assertThat(presence.served()).isFalse();
    assertThat(presence.cause()).contains("may not list");

    nothingDependsOnIt = false;
    assertThat(absent(presence)).as("what came later doesn't stop the informer").isTrue();
    assertThat(absent(presence())).as("but it is needed at a start").isFalse();

    answers.putAll(Map.of(LIST, "list", V1, "with"));
    assertThat(absent(presence)).isFalse();
    answers.put(LIST, "403");
    nothingDependsOnIt = true;
    assertThat(absent(presence)).as("a right that is lost").isFalse();
    assertThat(presence.served()).isTrue();
  }

  @Test
  @ExpectedLog(logger = "KindPresence", message = "This resource is cluster-scoped")
  void oneOfAnotherScopeIsAbsent() {
    answers.putAll(Map.of(LIST, "list", V1, "cluster"));
    KindPresence presence = presence();
    assertThat(absent(presence)).isTrue();
    assertThat(presence.served()).isFalse();
    assertThat(presence.cause()).contains("cluster-scoped");

    answers.put(V1, "503");
    assertThat(absent(presence)).as("the list failed").isFalse();
    assertThat(presence.served()).as("only what discovery says counts").isFalse();
    answers.put(V1, "with");
    assertThat(absent(presence)).isFalse();
    assertThat(presence.served()).isTrue();
  }

  @Test
  @ExpectedLog(logger = "KindPresence", message = "This resource is cluster-scoped")
  void oneThatComesBackWithAnotherScopeIsAbsent() {
    KindPresence presence = presence();
    answers.putAll(Map.of(LIST, "list", V1, "with"));
    assertThat(absent(presence)).isFalse();
    answers.putAll(Map.of(LIST, "path", GROUPS, "none", V1, "path"));
    assertThat(absent(presence)).isFalse();
    time.advance(KindPresence.PROOF);
    assertThat(absent(presence)).isTrue();
    answers.putAll(Map.of(LIST, "list", V1, "503"));
    assertThat(absent(presence)).as("the list failed").isFalse();
    assertThat(presence.served()).isFalse();
    answers.put(V1, "cluster");
    assertThat(absent(presence)).isTrue();
    assertThat(presence.cause()).contains("cluster-scoped");
  }

  @Test
  void onlyAnOptionalTypeMayBeAbsent() {
    answers.putAll(Map.of(LIST, "path", GROUPS, "none", V1, "path"));
    assertThat(absent(new KindPresence(THING, Optional.empty(), time, () -> 0))).isFalse();
  }
}
