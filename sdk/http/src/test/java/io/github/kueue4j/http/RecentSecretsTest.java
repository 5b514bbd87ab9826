// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.kubernetes.client.openapi.models.V1Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class RecentSecretsTest {
  private static final ObjectKey LOGIN = new ObjectKey("checks", "login");
  private static final ObjectKey OTHER = new ObjectKey("checks", "other");

  private final AtomicLong nanos = new AtomicLong();
  private final List<ObjectKey> asked = new ArrayList<>();
  private Optional<V1Secret> answer = Optional.of(new V1Secret());
  private final RecentSecrets secrets =
      new RecentSecrets(
          key -> {
            asked.add(key);
            return answer;
          },
          nanos::get);

  @Test
  void oneThatWasReadWithinTheLastSecondIsNotReadAgain() {
    V1Secret first = secrets.secret(LOGIN).orElseThrow();
    answer = Optional.of(new V1Secret().type("renewed"));

    assertThat(secrets.secret(LOGIN)).containsSame(first);
    assertThat(secrets.secret(OTHER)).isEqualTo(answer);
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(secrets.secret(LOGIN)).isEqualTo(answer);
    assertThat(asked).containsExactly(LOGIN, OTHER, LOGIN);
  }

  @Test
  void oneThatIsMissingIsAskedForEachTime() {
    answer = Optional.empty();

    assertThat(secrets.secret(LOGIN)).isEmpty();
    answer = Optional.of(new V1Secret());
    assertThat(secrets.secret(LOGIN)).isPresent();
  }
}
