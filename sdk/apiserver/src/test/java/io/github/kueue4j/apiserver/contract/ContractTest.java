// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.apiserver.EmbeddedApiServer;
import java.net.http.HttpClient;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/** The embedded server answers the contract like a real one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ContractTest {
  @AutoClose private final HttpClient client = HttpClient.newHttpClient();
  private EmbeddedApiServer server;

  @BeforeAll
  void start() {
    server = EmbeddedApiServer.start();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @TestFactory
  Stream<DynamicTest> answers() {
    ContractRun run = new ContractRun(client, server.uri(), Map.of(), "contract");
    return Contract.steps().stream()
        .map(
            step ->
                DynamicTest.dynamicTest(step.name(), () -> assertThat(run.run(step)).isEmpty()));
  }
}
