// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Descriptors.Descriptor;
import io.github.kueue4j.apiserver.protobuf.ApiMessages;
import io.github.kueue4j.apiserver.protobuf.ProtobufKinds;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrategicMergePatchTest {

  static JsonNode yaml(String text) {
    return new ObjectMapper().valueToTree(new org.yaml.snakeyaml.Yaml().load(text));
  }

  private static JsonNode patched(String type, String object, String patch) {
    int slash = type.lastIndexOf('/');
    return Patches.strategicMergePatch(
        type.substring(0, slash),
        type.substring(slash + 1),
        (ObjectNode) yaml(object),
        yaml(patch));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // Maps are merged, nulls delete.
        "v1/ConfigMap | {data: {a: '1', b: '2'}} | {data: {b: null, c: '3'}} | {data: {a: '1', c: '3'}}",
        "v1/ConfigMap | {data: {a: '1'}} | {data: {x: null}} | {data: {a: '1'}}",
        "v1/ConfigMap | {data: {a: '1'}} | {data: {$patch: replace, b: '2'}} | {data: {b: '2'}}",
        "v1/ConfigMap | {data: {a: '1'}} | {data: {$patch: delete}} | {data: {}}",
        // Keyed lists.
        "v1/Pod | {spec: {containers: [{name: a, image: i}]}} | {spec: {containers: [{name: a, image: j}]}} | {spec: {containers: [{name: a, image: j}]}}",
        "v1/Pod | {spec: {containers: [{name: a, image: i}]}} | {spec: {containers: [{name: b}]}} | {spec: {containers: [{name: a, image: i}, {name: b}]}}",
        "v1/Pod | {spec: {containers: [{name: a}, {name: b}]}} | {spec: {containers: [{name: a, $patch: delete}]}} | {spec: {containers: [{name: b}]}}",
        "v1/Pod | {spec: {containers: [{name: a}, {name: b}]}} | {spec: {containers: [{$patch: replace}, {name: c}]}} | {spec: {containers: [{name: c}]}}",
        "v1/Pod | {spec: {containers: [{name: a, env: [{name: x, value: '1'}]}]}} | {spec: {containers: [{name: a, env: [{name: y, value: '2'}]}]}} | {spec: {containers: [{name: a, env: [{name: x, value: '1'}, {name: y, value: '2'}]}]}}",
        "v1/Pod | {spec: {containers: [{name: a, ports: [{containerPort: 1}]}]}} | {spec: {containers: [{name: a, ports: [{containerPort: 2}]}]}} | {spec: {containers: [{name: a, ports: [{containerPort: 1}, {containerPort: 2}]}]}}",
        "v1/Pod | {spec: {volumes: [{name: v, emptyDir: {}}]}} | {spec: {volumes: [{name: v, $retainKeys: [name, configMap], configMap: {name: c}}]}} | {spec: {volumes: [{name: v, configMap: {name: c}}]}}",
        "batch/v1/Job | {spec: {template: {spec: {containers: [{name: a}]}}}} | {spec: {suspend: true, template: {spec: {containers: [{name: a, image: i}], nodeSelector: {z: '1'}}}}} | {spec: {template: {spec: {containers: [{name: a, image: i}], nodeSelector: {z: '1'}}}, suspend: true}}",
        "batch/v1/Job | {status: {conditions: [{type: Complete, status: 'False'}]}} | {status: {conditions: [{type: Suspended, status: 'True'}]}} | {status: {conditions: [{type: Complete, status: 'False'}, {type: Suspended, status: 'True'}]}}",
        "v1/Service | {spec: {ports: [{port: 80}]}} | {spec: {ports: [{port: 80, name: n}]}} | {spec: {ports: [{port: 80, name: n}]}}",
        "apps/v1/Deployment | {spec: {strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1}}}} | {spec: {strategy: {$retainKeys: [type], type: Recreate}}} | {spec: {strategy: {type: Recreate}}}",
        "admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration | {webhooks: [{name: a}]} | {webhooks: [{name: b}]} | {webhooks: [{name: a}, {name: b}]}",
        // Lists without a key are replaced.
        "v1/Pod | {spec: {tolerations: [{key: a}]}} | {spec: {tolerations: [{key: b}]}} | {spec: {tolerations: [{key: b}]}}",
        "v1/Pod | {spec: {containers: [{name: a, command: [x, y]}]}} | {spec: {containers: [{name: a, command: [z]}]}} | {spec: {containers: [{name: a, command: [z]}]}}",
        "rbac.authorization.k8s.io/v1/Role | {rules: [{verbs: [get]}]} | {rules: [{verbs: [list]}]} | {rules: [{verbs: [list]}]}",
        // Metadata.
        "v1/Pod | {metadata: {finalizers: [a]}} | {metadata: {finalizers: [b, a]}} | {metadata: {finalizers: [a, b]}}",
        "v1/Pod | {metadata: {finalizers: [a, b]}} | {metadata: {$deleteFromPrimitiveList/finalizers: [a]}} | {metadata: {finalizers: [b]}}",
        "v1/Pod | {metadata: {ownerReferences: [{uid: '1', name: a}]}} | {metadata: {ownerReferences: [{uid: '2', name: b}]}} | {metadata: {ownerReferences: [{uid: '1', name: a}, {uid: '2', name: b}]}}",
        "odd.io/v1/Unknown | {metadata: {finalizers: [a]}, list: [{name: a}]} | {metadata: {finalizers: [b]}, list: [{name: b}]} | {list: [{name: b}], metadata: {finalizers: [a, b]}}",
        // Order.
        "v1/Pod | {spec: {containers: [{name: a}, {name: b}]}} | {spec: {$setElementOrder/containers: [{name: b}, {name: a}]}} | {spec: {containers: [{name: b}, {name: a}]}}",
        "v1/Pod | {spec: {containers: [{name: a}, {name: s}, {name: b}]}} | {spec: {$setElementOrder/containers: [{name: c}, {name: a}, {name: b}], containers: [{name: c}]}} | {spec: {containers: [{name: c}, {name: a}, {name: s}, {name: b}]}}",
        "v1/Pod | {metadata: {finalizers: [a, b]}} | {metadata: {$setElementOrder/finalizers: [c, b], $deleteFromPrimitiveList/finalizers: [a], finalizers: [c]}} | {metadata: {finalizers: [c, b]}}",
        // New subtrees lose their directives and nulls.
        "v1/Pod | {} | {spec: {containers: [{name: a, env: [{name: x, $patch: delete}], image: null}]}} | {spec: {containers: [{name: a, env: []}]}}",
      })
  void patches(String type, String object, String patch, String expected) {
    assertThat(patched(type, object, patch)).isEqualTo(yaml(expected));
  }

  @Test
  void leavesTheArgumentsAlone() {
    ObjectNode object = (ObjectNode) yaml("{spec: {containers: [{name: a, env: []}]}}");
    ObjectNode before = object.deepCopy();

    Patches.strategicMergePatch(
        "v1", "Pod", object, yaml("{spec: {containers: [{name: a, env: [{name: e}]}], x: 1}}"));

    assertThat(object).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{spec: {containers: [{image: i}]}} | does not contain declared merge key: name",
        "{spec: {$patch: odd}} | unknown patch type \"odd\"",
        "{spec: {containers: [text]}} | must be objects",
        "{spec: {volumes: [{name: v, $retainKeys: [name], emptyDir: {}}]}} | $retainKeys does not contain emptyDir",
        "[] | is an object",
      })
  void refuses(String patch, String why) {
    assertThatThrownBy(() -> patched("v1/Pod", "{}", patch))
        .isInstanceOf(PatchException.class)
        .hasMessageContaining(why);
  }

  @Test
  void everyFieldOfTheTableExists() {
    for (String name : ListKeys.names()) {
      int dot = name.lastIndexOf('.');
      assertThat(fieldNames(name.substring(0, dot))).as(name).contains(name.substring(dot + 1));
    }
  }

  private static List<String> fieldNames(String message) {
    for (Descriptor known :
        List.of(
            ApiMessages.objectMeta(),
            kind("v1", "Pod"),
            kind("apps/v1", "Deployment"),
            kind("batch/v1", "Job"),
            kind("policy/v1", "PodDisruptionBudget"),
            kind("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration"))) {
      for (Descriptor sibling : known.getFile().getMessageTypes()) {
        if (sibling.getFullName().equals(message)) {
          return sibling.getFields().stream().map(field -> field.getName()).toList();
        }
      }
    }
    return List.of();
  }

  private static Descriptor kind(String apiVersion, String kind) {
    return ProtobufKinds.messageOf(apiVersion, kind).orElseThrow();
  }
}
