// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs.declared;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.jobs.FieldPath;
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
class DroppedFieldTest {
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
                              """),
                      new ArrayList<>()))
              .getFirst());

  private static DeclaredJob job(String template) {
    return FromYaml.read(
        DeclaredJob.class,
        "{apiVersion: ml.example.com/v1, kind: Run, metadata: {name: a}, spec: {pod: {%s}}}"
            .formatted(template));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      useHeadersInDisplayName = true,
      textBlock =
          """
          before                          | sent                                           | stored                                    | dropped
          spec: {}                        | metadata: {labels: {a: b}}                     | metadata: {labels: {a: b, c: d}}          | ''
          spec: {}                        | metadata: {labels: {a: b}}                     | metadata: {}                              | spec.pod.metadata.labels
          metadata: {labels: {x: y}}      | metadata: {labels: {x: y, a: b}}               | metadata: {labels: {a: b}}                | ''
          spec: {}                        | spec: {nodeSelector: {a: b}}                   | spec: {}                                  | spec.pod.spec.nodeSelector
          spec: {tolerations: [{key: x}]} | spec: {tolerations: [{key: x}, {key: a}]}      | spec: {tolerations: [{key: x}]}           | spec.pod.spec.tolerations
          spec: {tolerations: [{key: x}]} | spec: {tolerations: [{key: x}, {key: a}]}      | spec: {tolerations: [{key: a, effect: NoSchedule}]} | ''
          """)
  void onlyWhatTheStartAddedCounts(String before, String sent, String stored, String dropped) {
    assertThat(
            kind.dropped(job(before), job(sent), job(stored)).map(FieldPath::toString).orElse(""))
        .isEqualTo(dropped);
  }
}
