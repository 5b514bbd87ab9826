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
package io.github.kueue4j.testkit.shape;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.github.kueue4j.testkit.protobuf.ApiMessages;
import io.github.kueue4j.testkit.protobuf.ProtobufKinds;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of list types speaks about fields that exist. */
class ListTypesTest {

  @Test
  void everyNameIsAListThatHasItsKeys() {
    Set<String> known =
        List.of(
                ApiMessages.objectMeta(),
                kind("v1", "Pod"),
                kind("apps/v1", "Deployment"),
                kind("policy/v1", "PodDisruptionBudget"),
                kind("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration"))
            .stream()
            .flatMap(message -> message.getFile().getMessageTypes().stream())
            .flatMap(message -> message.getFields().stream())
            .filter(FieldDescriptor::isRepeated)
            .filter(list -> keysExist(list))
            .map(FieldDescriptor::getFullName)
            .collect(Collectors.toSet());

    assertThat(known).containsAll(ListTypes.fieldNames());
  }

  private static boolean keysExist(FieldDescriptor list) {
    return ListTypes.keys(list).stream()
        .allMatch(key -> ApiMessages.field(list.getMessageType(), key).isPresent());
  }

  private static Descriptor kind(String apiVersion, String kind) {
    return ProtobufKinds.messageOf(apiVersion, kind).orElseThrow();
  }
}
