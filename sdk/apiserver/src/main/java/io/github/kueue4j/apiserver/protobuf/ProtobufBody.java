// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.protobuf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import io.kubernetes.client.proto.Runtime.Unknown;
import java.io.IOException;
import java.util.Arrays;
import org.apiguardian.api.API;

/**
 * Request bodies of the media type {@code application/vnd.kubernetes.protobuf}, as Helm and other
 * clients written in Go send them.
 *
 * <p>Source: Kubernetes documentation, "Kubernetes API Concepts", section "Kubernetes Protobuf
 * encoding".
 */
@API(status = API.Status.EXPERIMENTAL)
public final class ProtobufBody {

  /** The media type without parameters. */
  public static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

  private static final byte[] MAGIC = {'k', '8', 's', 0};
  private static final ObjectMapper JSON = new ObjectMapper();

  private ProtobufBody() {}

  /**
   * Turns a body (magic number, runtime.Unknown, message) into the JSON form that a client would
   * have sent, apiVersion and kind included.
   *
   * @throws ProtobufBodyException if it isn't one or holds a kind without a known message
   */
  public static ObjectNode decode(byte[] body) {
    if (body.length < MAGIC.length
        || !Arrays.equals(MAGIC, 0, MAGIC.length, body, 0, MAGIC.length)) {
      throw new ProtobufBodyException(
          "the body doesn't start with k8s\\0, send Kubernetes protobuf or JSON");
    }
    try {
      Unknown envelope =
          Unknown.parseFrom(ByteString.copyFrom(body, MAGIC.length, body.length - MAGIC.length));
      return decode(envelope);
    } catch (InvalidProtocolBufferException e) {
      throw new ProtobufBodyException("the body is no runtime.Unknown: " + e.getMessage(), e);
    }
  }

  private static ObjectNode decode(Unknown envelope) throws InvalidProtocolBufferException {
    String apiVersion = envelope.getTypeMeta().getApiVersion();
    String kind = envelope.getTypeMeta().getKind();
    if (envelope.getContentType().equals("application/json")) {
      return json(envelope.getRaw());
    }
    Descriptor message =
        ProtobufKinds.messageOf(apiVersion, kind)
            .orElseThrow(
                () ->
                    new ProtobufBodyException(
                        "no protobuf message is known for the kind %s of %s, send it as JSON"
                            .formatted(kind, apiVersion)));
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("kind", kind);
    object.put("apiVersion", apiVersion);
    object.setAll(ProtobufToJson.object(DynamicMessage.parseFrom(message, envelope.getRaw())));
    return object;
  }

  private static ObjectNode json(ByteString raw) {
    try {
      JsonNode tree = JSON.readTree(raw.newInput());
      if (tree instanceof ObjectNode object) {
        return object;
      }
      throw new ProtobufBodyException("the body holds JSON, but no object");
    } catch (IOException e) {
      throw new ProtobufBodyException("the body holds malformed JSON: " + e.getMessage(), e);
    }
  }
}
