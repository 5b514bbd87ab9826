// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.protobuf;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Resource;
import io.kubernetes.client.proto.V1;
import java.util.Locale;

/**
 * Messages of kinds that the client's generated classes leave out. Field numbers are those of the
 * API's published generated.proto files.
 */
final class AdditionalMessages {

  private static final String META = ".k8s.io.apimachinery.pkg.apis.meta.v1.";
  private static final String CORE = ".k8s.io.api.core.v1.";
  private static final String QUANTITY = ".k8s.io.apimachinery.pkg.api.resource.Quantity";

  static final FileDescriptor COORDINATION =
      file(
          "coordination",
          message("Lease", "metadata=1 " + META + "ObjectMeta", "spec=2 LeaseSpec"),
          message(
              "LeaseSpec",
              "holderIdentity=1 string",
              "leaseDurationSeconds=2 int32",
              "acquireTime=3 " + META + "MicroTime",
              "renewTime=4 " + META + "MicroTime",
              "leaseTransitions=5 int32",
              "strategy=6 string",
              "preferredHolder=7 string"));

  static final FileDescriptor EVENTS =
      file(
          "events",
          message(
              "Event",
              "metadata=1 " + META + "ObjectMeta",
              "eventTime=2 " + META + "MicroTime",
              "series=3 EventSeries",
              "reportingController=4 string",
              "reportingInstance=5 string",
              "action=6 string",
              "reason=7 string",
              "regarding=8 " + CORE + "ObjectReference",
              "related=9 " + CORE + "ObjectReference",
              "note=10 string",
              "type=11 string",
              "deprecatedSource=12 " + CORE + "EventSource",
              "deprecatedFirstTimestamp=13 " + META + "Time",
              "deprecatedLastTimestamp=14 " + META + "Time",
              "deprecatedCount=15 int32"),
          message("EventSeries", "count=1 int32", "lastObservedTime=2 " + META + "MicroTime"));

  static final FileDescriptor NODE =
      file(
          "node",
          message(
              "RuntimeClass",
              "metadata=1 " + META + "ObjectMeta",
              "handler=2 string",
              "overhead=3 Overhead",
              "scheduling=4 Scheduling"),
          message("Overhead", "podFixed=1 map " + QUANTITY),
          message(
              "Scheduling",
              "nodeSelector=1 map string",
              "tolerations=2 repeated " + CORE + "Toleration"));

  private AdditionalMessages() {}

  private static FileDescriptor file(String group, DescriptorProto... messages) {
    FileDescriptorProto.Builder file =
        FileDescriptorProto.newBuilder()
            .setName("k8s.io/api/" + group + "/v1/generated.proto")
            .setPackage("k8s.io.api." + group + ".v1")
            .setSyntax("proto2");
    FileDescriptor[] known = {Meta.getDescriptor(), Resource.getDescriptor(), V1.getDescriptor()};
    for (FileDescriptor dependency : known) {
      file.addDependency(dependency.getFullName());
    }
    for (DescriptorProto message : messages) {
      file.addMessageType(message);
    }
    try {
      return FileDescriptor.buildFrom(file.build(), known);
    } catch (DescriptorValidationException e) {
      throw new IllegalStateException("the messages of " + group + " contradict each other", e);
    }
  }

  /**
   * @param fields such as {@code count=1 int32}, {@code items=2 repeated Item}, {@code data=3 map
   *     string}
   */
  private static DescriptorProto message(String name, String... fields) {
    DescriptorProto.Builder message = DescriptorProto.newBuilder().setName(name);
    for (String written : fields) {
      String[] words = written.split(" ", -1);
      String[] numbered = words[0].split("=", -1);
      FieldDescriptorProto.Builder field =
          FieldDescriptorProto.newBuilder()
              .setName(numbered[0])
              .setNumber(Integer.parseInt(numbered[1]))
              .setLabel(
                  words.length == 3
                      ? FieldDescriptorProto.Label.LABEL_REPEATED
                      : FieldDescriptorProto.Label.LABEL_OPTIONAL);
      String type = words[words.length - 1];
      if (words[1].equals("map")) {
        String entry = capitalized(numbered[0]) + "Entry";
        message.addNestedType(entry(entry, type));
        field.setType(FieldDescriptorProto.Type.TYPE_MESSAGE).setTypeName(name + "." + entry);
      } else {
        setType(field, type);
      }
      message.addField(field);
    }
    return message.build();
  }

  private static DescriptorProto entry(String name, String valueType) {
    FieldDescriptorProto.Builder value =
        FieldDescriptorProto.newBuilder()
            .setName("value")
            .setNumber(2)
            .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL);
    setType(value, valueType);
    return DescriptorProto.newBuilder()
        .setName(name)
        .setOptions(MessageOptions.newBuilder().setMapEntry(true))
        .addField(
            FieldDescriptorProto.newBuilder()
                .setName("key")
                .setNumber(1)
                .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)
                .setType(FieldDescriptorProto.Type.TYPE_STRING))
        .addField(value)
        .build();
  }

  private static void setType(FieldDescriptorProto.Builder field, String type) {
    switch (type) {
      case "string" -> field.setType(FieldDescriptorProto.Type.TYPE_STRING);
      case "int32" -> field.setType(FieldDescriptorProto.Type.TYPE_INT32);
      default -> field.setType(FieldDescriptorProto.Type.TYPE_MESSAGE).setTypeName(type);
    }
  }

  private static String capitalized(String word) {
    return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
  }
}
