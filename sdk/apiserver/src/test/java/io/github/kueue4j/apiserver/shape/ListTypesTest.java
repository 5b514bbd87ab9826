// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.shape;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.github.kueue4j.apiserver.protobuf.ApiMessages;
import io.github.kueue4j.apiserver.protobuf.ProtobufKinds;
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
