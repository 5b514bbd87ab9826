// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.apiserver.server.TestServer.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The two groups of events show the same objects, each in its own words. */
class EventsTest {
  private static final String CORE = "/api/v1/namespaces/default/events";
  private static final String NEW = "/apis/events.k8s.io/v1/namespaces/default/events";

  @RegisterExtension static final TestServer api = new TestServer();

  @Test
  void anEventOfTheNewGroupIsACoreEventToo() {
    api.post(
        NEW,
        """
        {apiVersion: events.k8s.io/v1, kind: Event, metadata: {name: new}, note: hello,
         reason: Said, type: Normal, action: Say, reportingController: test,
         regarding: {kind: Job, namespace: default, name: j}}
        """);
    Answer core = api.get(CORE + "/new");
    assertThat(core.at("apiVersion").asText()).isEqualTo("v1");
    assertThat(core.at("message").asText()).isEqualTo("hello");
    assertThat(core.at("involvedObject.name").asText()).isEqualTo("j");
    assertThat(core.at("reportingComponent").asText()).isEqualTo("test");
    assertThat(api.get(CORE + "?fieldSelector=involvedObject.kind%3DJob").at("items").size())
        .isEqualTo(1);
  }

  @Test
  void aCoreEventIsAnEventOfTheNewGroupToo() {
    Answer created =
        api.post(
            CORE,
            """
            {apiVersion: v1, kind: Event, metadata: {name: old}, message: hi, reason: Said,
             count: 3, involvedObject: {kind: Pod, namespace: default, name: p}}
            """);
    assertThat(created.at("message").asText()).isEqualTo("hi");
    Answer event = api.get(NEW + "/old");
    assertThat(event.at("note").asText()).isEqualTo("hi");
    assertThat(event.at("deprecatedCount").asInt()).isEqualTo(3);
    api.mergePatch(CORE + "/old", "{\"count\":4}");
    assertThat(api.get(NEW + "/old").at("deprecatedCount").asInt()).isEqualTo(4);
  }
}
