// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.protobuf.ProtobufBody;
import io.github.kueue4j.apiserver.protobuf.ProtobufBodyException;
import io.github.kueue4j.apiserver.status.ApiErrors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Tag;

/** A request's body. */
final class Body {
  /** What the real server allows by default. */
  static final int MAX_BYTES = 3 * 1024 * 1024;

  private static final JsonMapper LENIENT =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();
  private static final JsonMapper STRICT =
      LENIENT.rebuild().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final String mediaType;
  private final byte[] bytes;

  private Body(String mediaType, byte[] bytes) {
    this.mediaType = mediaType;
    this.bytes = bytes;
  }

  /** The media type without parameters, in lower case; empty if the client sent none. */
  String mediaType() {
    return mediaType;
  }

  static Body read(String contentType, InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) {
      throw ApiErrors.tooLarge(MAX_BYTES);
    }
    String mediaType = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    return new Body(mediaType, bytes);
  }

  boolean isEmpty() {
    return bytes.length == 0;
  }

  String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** The body as JSON of any shape. */
  JsonNode json() {
    return parse(LENIENT);
  }

  private JsonNode parse(JsonMapper mapper) {
    try {
      JsonNode node = mapper.readTree(bytes);
      if (node == null || node.isMissingNode()) {
        throw ApiErrors.badRequest("the request body is empty, an object was expected");
      }
      return node;
    } catch (JsonProcessingException e) {
      String what = e.getOriginalMessage();
      if (what.startsWith("Duplicate field")) {
        throw ApiErrors.badRequest(
            "strict decoding error: duplicate field "
                + what.substring(15).strip().replace('\'', '"'));
      }
      throw ApiErrors.badRequest("couldn't get version/kind; json parse error: " + what);
    } catch (IOException e) {
      throw ApiErrors.badRequest("the request body can't be read: " + e.getMessage());
    }
  }

  /**
   * The body as an object, from JSON, YAML or Kubernetes' protobuf.
   *
   * @param strict refuse a field that is given twice
   */
  ObjectNode object(boolean strict) {
    JsonNode node =
        switch (mediaType) {
          case "", "application/json" -> parse(strict ? STRICT : LENIENT);
          case "application/yaml", "application/apply-patch+yaml" -> yaml();
          case ProtobufBody.MEDIA_TYPE -> protobuf();
          default ->
              throw ApiErrors.unsupportedMediaType(
                  "the body of the request was in an unknown format - accepted media types include:"
                      + " application/json, application/yaml, application/vnd.kubernetes.protobuf");
        };
    if (node instanceof ObjectNode object) {
      return object;
    }
    throw ApiErrors.badRequest(
        "couldn't get version/kind; json parse error: the body is no object");
  }

  private JsonNode protobuf() {
    try {
      return ProtobufBody.decode(bytes);
    } catch (ProtobufBodyException e) {
      throw ApiErrors.badRequest(String.valueOf(e.getMessage()));
    }
  }

  private JsonNode yaml() {
    List<JsonNode> documents = documents(text());
    if (documents.size() != 1) {
      throw ApiErrors.badRequest(
          "the body holds " + documents.size() + " YAML documents, send one");
    }
    return documents.get(0);
  }

  /** The documents of a YAML text as JSON, empty ones left out. */
  static List<JsonNode> documents(String yaml) {
    List<JsonNode> documents = new ArrayList<>();
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(4 * MAX_BYTES);
    try {
      for (Object document : new Yaml(new PlainTypes(options)).loadAll(yaml)) {
        if (document != null) {
          // Written and read again, so that numbers get the same node types as in JSON bodies.
          documents.add(LENIENT.readTree(LENIENT.writeValueAsBytes(document)));
        }
      }
    } catch (YAMLException | IOException e) {
      throw ApiErrors.badRequest("yaml: " + e.getMessage());
    }
    return documents;
  }

  /** Leaves timestamps as the texts that they are in Kubernetes objects. */
  private static final class PlainTypes extends SafeConstructor {
    PlainTypes(LoaderOptions options) {
      super(options);
      yamlConstructors.put(Tag.TIMESTAMP, new ConstructYamlStr());
    }
  }
}
