// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.http.AddressRange;
import io.github.kueue4j.http.AddressRules;
import io.github.kueue4j.http.HttpBackends;
import io.github.kueue4j.http.HttpEndpoint;
import io.github.kueue4j.http.SecretTexts;
import io.github.kueue4j.httpcheck.FakeEndpoint.Reply;
import io.github.kueue4j.sdk.NotAskedException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** KEP-3258, story 1: the rate limit of what is asked. */
class RequestPaceTest {
  private static final URI URL = URI.create("http://a.example/check");

  private final ManualTime time = ManualTime.create();
  private final RequestPace pace = new RequestPace(time);

  /** What waits asks once a second. */
  @ParameterizedTest
  @CsvSource({"1, 1, 10", "6, 1, 60", "50, 1, 500", "90, 2, 900", "600, 11, 6000"})
  void requestsAreSpaced(int perMinute, int atOnce, int inTenMinutes) {
    assertThat(permitted(perMinute)).as("after a long pause").isEqualTo(atOnce);

    int more = 0;
    for (int second = 1; second <= 600; second++) {
      time.advance(Duration.ofSeconds(1));
      more += permitted(perMinute);
    }

    assertThat(more).isBetween(inTenMinutes - 1, inTenMinutes);
    assertThat(pace.permits(URI.create("http://b.example/"), perMinute)).as("another").isTrue();
  }

  private int permitted(int perMinute) {
    int permitted = 0;
    while (pace.permits(URL, perMinute)) {
      permitted++;
    }
    return permitted;
  }

  @Test
  void whatIsSentAgainCountsAndAnotherQuestionWaits() throws Exception {
    try (FakeEndpoint endpoint = new FakeEndpoint();
        HttpBackends backends =
            HttpBackends.of(
                SecretTexts.none(),
                AddressRules.defaults().allowing(AddressRange.parse("127.0.0.1")))) {
      endpoint.answers(Reply.status(500));
      HttpCheck check = Asked.check(backends);
      HttpCheckSpec spec = limited(HttpEndpoint.of(URI.create(endpoint.url())), 1);

      assertThatThrownBy(() -> check.evaluate(Asked.about(1, spec)))
          .isInstanceOf(UnansweredException.class);
      assertThatThrownBy(() -> check.evaluate(Asked.about(1, spec)))
          .isInstanceOf(NotAskedException.class)
          .hasMessage(
              endpoint.url() + " is not asked now: requestsPerMinute of the HttpCheck is 1");
      assertThat(endpoint.seen()).hasSize(1);
    }
  }

  private static HttpCheckSpec limited(HttpEndpoint endpoint, int perMinute) {
    return new HttpCheckSpec(
        endpoint,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(1),
        Optional.of(perMinute),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
