// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.kueue4j.http.AddressRange;
import io.github.kueue4j.http.AddressRules;
import io.github.kueue4j.http.HttpBackends;
import io.github.kueue4j.http.HttpEndpoint;
import io.github.kueue4j.http.SecretTexts;
import io.github.kueue4j.httpcheck.FakeEndpoint.Reply;
import io.github.kueue4j.sdk.BackendUnavailableException;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which failures speak against the endpoint, and which may be one Workload's own. */
class BreakerTest {
  private final FakeEndpoint endpoint = new FakeEndpoint();
  private final HttpBackends backends =
      HttpBackends.of(
          SecretTexts.none(), AddressRules.defaults().allowing(AddressRange.parse("127.0.0.1")));

  BreakerTest() throws IOException {}

  @AfterEach
  void close() {
    backends.close();
    endpoint.close();
  }

  private Throwable failure(String url) {
    HttpCheckSpec spec = HttpCheckSpec.of(HttpEndpoint.of(URI.create(url)));
    return catchThrowable(() -> Asked.check(backends).evaluate(Asked.about(1, spec)));
  }

  @ParameterizedTest
  @CsvSource({
    "500, false",
    "501, false",
    "505, false",
    "502, true",
    "503, true",
    "504, true",
    "429, true"
  })
  void aServerThatFailsAtOneWorkloadMayAnswerForOthers(int status, boolean unavailable) {
    endpoint.answers(new Reply(status, Map.of(), "what?"));

    Throwable failure = failure(endpoint.url());

    assertThat(failure instanceof BackendUnavailableException).isEqualTo(unavailable);
    assertThat(failure)
        .hasMessageStartingWith(endpoint.url() + " answered " + status + " (")
        .hasMessageNotContaining("what?");
  }

  @Test
  void anAnswerThatIsTooLongMayBeDueToTheWorkload() {
    endpoint.answers(new Reply(200, Map.of(), " ".repeat((1 << 20) + 1)));

    assertThat(failure(endpoint.url()))
        .isNotInstanceOf(BackendUnavailableException.class)
        .hasMessageContaining("answered more than 1048576 bytes");
  }

  @Test
  void aClosedPortIsNot() {
    assertThat(failure("http://127.0.0.1:1/")).isInstanceOf(BackendUnavailableException.class);
  }
}
