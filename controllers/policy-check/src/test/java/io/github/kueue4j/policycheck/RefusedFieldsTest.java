// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.policycheck;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.sdk.fixture.ServerAndReader;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The definition of the kind says with the first apply what the controller would say later. */
class RefusedFieldsTest {
  private static final String RULES = ", rules: [{name: a, answer: Ready, when: 'true'}]";

  private static final List<String> ACCEPTED =
      List.of(
          "rules: [{name: a, answer: Ready, when: 'true'}]",
          "rules: [{name: a, answer: Retry, when: 'true', delay: 24h, message: Wait.}]",
          "timeZone: Europe/Berlin, windows: [{name: a, weekly: {from: '20:00', to: '06:00'}}]"
              + RULES,
          "windows: [{name: a, weekly: {days: [Monday, Sunday], from: '00:00', to: '00:00'}}]"
              + RULES,
          "windows: [{name: a, from: '2026-12-20T00:00:00Z', to: '2027-01-04T00:00:00+01:00'}]"
              + RULES);

  /** What only the reader can tell is not among them. */
  private static final List<String> REFUSED =
      List.of(
          "rules: []",
          "rules: [{name: a, answer: Perhaps, when: 'true'}]",
          "rules: [{name: a, when: 'true'}]",
          "rules: [{name: a, answer: Ready}]",
          "rules: [{name: a, answer: Ready, when: 'true', delay: 1m}]",
          "rules: [{name: a, answer: Retry, when: 'true', delay: 25h}]",
          "rules: [{name: a, answer: Retry, when: 'true', delay: 500ms}]",
          "rules: [{name: a, answer: Retry, when: 'true', delay: soon}]",
          "rules: [{name: a, answer: Ready, when: 'true'}, {name: a, answer: Ready, when: 'true'}]",
          "windows: [{name: a}]" + RULES,
          "windows: [{name: a, from: '2026-12-20T00:00:00Z'}]" + RULES,
          "windows: [{name: a, from: '2026-12-20T00:00:00Z', to: '2026-12-20T00:00:00Z'}]" + RULES,
          "windows: [{name: a, from: '2026-12-20T00:00:00Z', to: '2026-12-20T00:30:00+01:00'}]"
              + RULES,
          "windows: [{name: a, from: '2026-12-20', to: '2026-12-21'}]" + RULES,
          "windows: [{name: a, to: '2026-12-20T00:00:00Z', weekly: {from: '20:00', to: '06:00'}}]"
              + RULES,
          "windows: [{name: a, weekly: {from: '20:00'}}]" + RULES,
          "windows: [{name: a, weekly: {from: '20:00', to: '24:00'}}]" + RULES,
          "windows: [{name: a, weekly: {days: [Someday], from: '20:00', to: '06:00'}}]" + RULES,
          "windows: [{name: a, weekly: {from: '20:00', to: '06:00'}},"
              + " {name: a, weekly: {from: '20:00', to: '06:00'}}]"
              + RULES);

  @Test
  @KueueTest
  void whatTheReaderRefusesTheServerRefuses(KueueCluster cluster) {
    PolicyCheck.crds().forEach(cluster::apply);

    new ServerAndReader<>(cluster, PolicyCheck.TYPE).agree(ACCEPTED, REFUSED);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          timeZone: Europe/Berlim ; timeZone is 'Europe/Berlim': write the name of a time zone
          windows: [{name: a, weekly: {from: '06:00', to: '06:00'}}] ; windows is 'a': it is always open: leave out a day
          """)
  void whatOnlyTheReaderCanTell(String fields, String problem) {
    assertThatThrownBy(() -> ServerAndReader.spec(PolicyCheck.TYPE, fields + RULES))
        .isInstanceOf(InvalidFieldException.class)
        .hasMessageContaining(problem);
  }
}
