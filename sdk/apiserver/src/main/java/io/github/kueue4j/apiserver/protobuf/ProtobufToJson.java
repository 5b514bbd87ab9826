// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.protobuf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Writes a message of the API in the API's JSON form. Names of fields are nearly always the JSON
 * names; {@link ApiMessages} knows what differs.
 *
 * <p>Go clients write every number and truth value that isn't a pointer, zeros too, and nothing in
 * a message tells pointers. A zero stays, since dropping it would lose {@code replicas: 0}, except
 * in fields that are known not to be pointers, where zero means absent.
 */
final class ProtobufToJson {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String META = "k8s.io.apimachinery.pkg.apis.meta.v1.";

  private static final Set<String> ZERO_IS_ABSENT =
      Set.of(
          "count",
          "deprecatedCount",
          "failureThreshold",
          "generation",
          "globalDefault",
          "hostIPC",
          "hostNetwork",
          "hostPID",
          "hostPort",
          "initialDelaySeconds",
          "minReadySeconds",
          "nodePort",
          "observedGeneration",
          "paused",
          "periodSeconds",
          "publishNotReadyAddresses",
          "readOnly",
          "stdin",
          "stdinOnce",
          "successThreshold",
          "timeoutSeconds",
          "tty",
          "unschedulable");

  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private ProtobufToJson() {}

  static ObjectNode object(Message message) {
    ObjectNode object = NODES.objectNode();
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      if (field.isRepeated()
          ? message.getRepeatedFieldCount(field) == 0
          : !message.hasField(field)) {
        continue;
      }
      if (ApiMessages.isInlined(field)) {
        object.setAll(object((Message) message.getField(field)));
        continue;
      }
      field(message, field).ifPresent(value -> object.set(ApiMessages.jsonName(field), value));
    }
    return object;
  }

  private static Optional<JsonNode> field(Message message, FieldDescriptor field) {
    Object value = message.getField(field);
    if (field.isMapField()) {
      return Optional.of(map((List<?>) value));
    }
    if (field.isRepeated()) {
      ArrayNode array = NODES.arrayNode();
      for (Object element : (List<?>) value) {
        array.add(value(element).orElse(NODES.nullNode()));
      }
      return Optional.of(array);
    }
    boolean zero = value.equals(0) || value.equals(0L) || value.equals(false);
    if (value.equals("") || (zero && ZERO_IS_ABSENT.contains(field.getName()))) {
      return Optional.empty();
    }
    return value(value);
  }

  private static ObjectNode map(List<?> entries) {
    ObjectNode object = NODES.objectNode();
    for (Object one : entries) {
      Message entry = (Message) one;
      List<FieldDescriptor> fields = entry.getDescriptorForType().getFields();
      Object value = entry.getField(fields.get(1));
      object.set(entry.getField(fields.get(0)).toString(), value(value).orElse(NODES.nullNode()));
    }
    return object;
  }

  private static Optional<JsonNode> value(Object value) {
    return switch (value) {
      case String text -> Optional.of(TextNode.valueOf(text));
      case Integer number -> Optional.of(IntNode.valueOf(number));
      case Long number -> Optional.of(number(number));
      case Double number -> Optional.of(DoubleNode.valueOf(number));
      case Float number -> Optional.of(DoubleNode.valueOf(number));
      case Boolean truth -> Optional.of(BooleanNode.valueOf(truth));
      case ByteString bytes ->
          Optional.of(TextNode.valueOf(Base64.getEncoder().encodeToString(bytes.toByteArray())));
      case EnumValueDescriptor constant -> Optional.of(TextNode.valueOf(constant.getName()));
      case Message message -> message(message);
      default ->
          throw new ProtobufBodyException("a field holds a " + value.getClass() + " unexpectedly");
    };
  }

  /** As a JSON parser would have read it, so that trees from both sources are equal. */
  private static JsonNode number(long number) {
    return (int) number == number ? IntNode.valueOf((int) number) : LongNode.valueOf(number);
  }

  private static Optional<JsonNode> message(Message message) {
    return switch (message.getDescriptorForType().getFullName()) {
      case META + "Time" -> time(message).map(at -> TextNode.valueOf(at.toString()));
      case META + "MicroTime" -> time(message).map(at -> TextNode.valueOf(MICROS.format(at)));
      case META + "Duration" -> Optional.of(duration(message));
      case META + "Verbs" -> Optional.of(items(message));
      case META + "FieldsV1" -> raw(message, "Raw");
      case "k8s.io.apimachinery.pkg.runtime.RawExtension" -> raw(message, "raw");
      case "k8s.io.apimachinery.pkg.api.resource.Quantity",
          "k8s.io.apimachinery.pkg.api.resource.QuantityValue" ->
          Optional.of(TextNode.valueOf(quantity(get(message, "string").toString())));
      case "k8s.io.apimachinery.pkg.util.intstr.IntOrString" -> Optional.of(intOrString(message));
      case "k8s.io.api.authentication.v1.ExtraValue", "k8s.io.api.authorization.v1.ExtraValue" ->
          Optional.of(items(message));
      default -> Optional.of(object(message));
    };
  }

  /** A zero time is an empty message. Times of the API have whole seconds, micro times do not. */
  private static Optional<Instant> time(Message message) {
    FieldDescriptor seconds = message.getDescriptorForType().findFieldByName("seconds");
    if (seconds == null || !message.hasField(seconds)) {
      return Optional.empty();
    }
    boolean micro = message.getDescriptorForType().getName().equals("MicroTime");
    int nanos = micro ? (Integer) get(message, "nanos") : 0;
    return Optional.of(Instant.ofEpochSecond((Long) message.getField(seconds), nanos));
  }

  private static JsonNode duration(Message message) {
    long nanos = (Long) get(message, "duration");
    return TextNode.valueOf(
        BigDecimal.valueOf(nanos, 9).stripTrailingZeros().toPlainString() + "s");
  }

  private static String quantity(String text) {
    return text.isEmpty() ? "0" : text;
  }

  private static JsonNode intOrString(Message message) {
    boolean text = get(message, "type").equals(1L);
    return text
        ? TextNode.valueOf(get(message, "strVal").toString())
        : IntNode.valueOf((Integer) get(message, "intVal"));
  }

  private static JsonNode items(Message message) {
    ArrayNode items = NODES.arrayNode();
    for (Object item : (List<?>) get(message, "items")) {
      items.add(item.toString());
    }
    return items;
  }

  private static Optional<JsonNode> raw(Message message, String field) {
    ByteString bytes = (ByteString) get(message, field);
    if (bytes.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(JSON.readTree(bytes.newInput()));
    } catch (IOException e) {
      throw new ProtobufBodyException(
          "the embedded JSON of "
              + message.getDescriptorForType().getName()
              + " is malformed: "
              + e.getMessage(),
          e);
    }
  }

  private static Object get(Message message, String field) {
    FieldDescriptor descriptor = message.getDescriptorForType().findFieldByName(field);
    if (descriptor == null) {
      throw new ProtobufBodyException(
          message.getDescriptorForType().getFullName() + " has no field " + field);
    }
    return message.getField(descriptor);
  }
}
