// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.patch;

import static io.github.kueue4j.apiserver.patch.StrategicMergePatchTest.yaml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonPatchTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{a: 1} | [{op: add, path: /b, value: 2}] | {a: 1, b: 2}",
        "{a: 1} | [{op: add, path: /a, value: 2}] | {a: 2}",
        "{a: [1, 3]} | [{op: add, path: /a/1, value: 2}, {op: add, path: /a/-, value: 4}] | {a: [1, 2, 3, 4]}",
        "{a: 1} | [{op: remove, path: /a}] | {}",
        "{a: [1, 2]} | [{op: remove, path: /a/0}] | {a: [2]}",
        "{a: 1} | [{op: replace, path: /a, value: {b: 2}}] | {a: {b: 2}}",
        "{a: 1} | [{op: move, from: /a, path: /b}] | {b: 1}",
        "{a: {x: 1}} | [{op: copy, from: /a, path: /b}] | {a: {x: 1}, b: {x: 1}}",
        "{a: 1} | [{op: test, path: /a, value: 1}, {op: add, path: /b, value: 1}] | {a: 1, b: 1}",
        "{metadata: {labels: {a/b: x}}} | [{op: replace, path: /metadata/labels/a~1b, value: y}] | {metadata: {labels: {a/b: y}}}",
        "{a: 1} | [{op: add, path: /a, value: null}] | {a: null}",
        "{a: 1} | [] | {a: 1}",
      })
  void applies(String object, String patch, String expected) {
    ObjectNode before = (ObjectNode) yaml(object);

    assertThat(Patches.jsonPatch(before, yaml(patch))).isEqualTo(yaml(expected));
    assertThat(before).isEqualTo(yaml(object));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[{op: test, path: /a, value: 2}] | TEST_FAILED",
        "[{op: test, path: /b, value: 2}] | TEST_FAILED",
        "[{op: replace, path: /b, value: 2}] | NOT_APPLICABLE",
        "[{op: remove, path: /b}] | NOT_APPLICABLE",
        "[{op: add, path: /b/c, value: 2}] | NOT_APPLICABLE",
        "[{op: add, path: /list/9, value: 2}] | NOT_APPLICABLE",
        "[{op: move, from: /b, path: /c}] | NOT_APPLICABLE",
        "[{op: replace, path: '', value: 2}] | NOT_APPLICABLE",
        "[{op: leap, path: /a}] | MALFORMED",
        "[{path: /a}] | MALFORMED",
        "[{op: add, value: 1}] | MALFORMED",
        "[{op: add, path: /a}] | MALFORMED",
        "[{op: add, path: no-slash, value: 1}] | MALFORMED",
        "{op: add} | MALFORMED",
        "[7] | MALFORMED",
      })
  void refuses(String patch, PatchException.Problem problem) {
    ObjectNode object = (ObjectNode) yaml("{a: 1, list: []}");

    PatchException refused =
        catchThrowableOfType(PatchException.class, () -> Patches.jsonPatch(object, yaml(patch)));

    assertThat(refused).isNotNull();
    assertThat(refused.kind()).isEqualTo(problem);
  }

  @Test
  void aFailedTestLeavesNothingBehind() {
    ObjectNode object = (ObjectNode) yaml("{a: 1}");

    assertThatThrownBy(
            () ->
                Patches.jsonPatch(
                    object,
                    yaml("[{op: add, path: /b, value: 1}, {op: test, path: /a, value: 2}]")))
        .isInstanceOf(PatchException.class);
    assertThat(object).isEqualTo(yaml("{a: 1}"));
  }
}
