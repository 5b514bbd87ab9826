// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs.declared;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.jobs.FinishedOwner;
import io.github.kueue4j.jobs.kinds.DeclarationReader;
import io.github.kueue4j.jobs.testing.FromYaml;
import io.github.kueue4j.jobs.yaml.YamlBlock;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.nodes.MappingNode;

/** What the API server didn't store of a start. */
@Tag("quick")
class EndMessageTest {
  private final DeclaredKind kind =
      new DeclaredKind(
          DeclarationReader.declared(
                  YamlBlock.root(
                      (MappingNode)
                          YamlBlock.compose(
                              """
                              jobKinds:
                              - framework: ml.example.com/run
                                apiVersion: ml.example.com/v1
                                kind: Run
                                suspend: spec.suspend
                                podSets: [{name: main, template: spec.pod}]
                                finished: [{condition: Done}, {all: [{condition: Over}, {condition: Told}]}]
                                message: status.message
                              """),
                      new ArrayList<>()))
              .getFirst());

  @ParameterizedTest
  @CsvSource({
    "'', it ended",
    "as told, as told",
  })
  void anEmptyMessageOfAConditionDoesNotHideTheField(String message, String told) {
    String status =
        "{status: {message: it ended, conditions: [{type: %s, status: 'True', message: '%s'}%s]}}";
    String second = ", {type: Told, status: 'True', message: '%s'}".formatted(message);

    for (String job :
        new String[] {
          status.formatted("Done", message, ""), status.formatted("Over", "", second)
        }) {
      assertThat(kind.finished(FromYaml.read(DeclaredJob.class, job)).map(FinishedOwner::message))
          .contains(told);
    }
  }
}
