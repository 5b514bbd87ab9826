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
package io.github.kueue4j.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.testkit.EmbeddedApiServer;
import java.net.http.HttpClient;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/** The embedded server answers the contract like a real one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ContractTest {
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
    ContractRun run =
        new ContractRun(HttpClient.newHttpClient(), server.uri(), Map.of(), "contract");
    return Contract.steps().stream()
        .map(
            step ->
                DynamicTest.dynamicTest(step.name(), () -> assertThat(run.run(step)).isEmpty()));
  }
}
