// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The JSON of config maps, many of which no client would send and some of which no server would.
 */
public final class Odd {

  private Odd() {}

  /** An object of objects, nested this deep. */
  public static String deep(int depth) {
    return "{\"f:a\":".repeat(depth) + "{}" + "}".repeat(depth);
  }

  /** A config map with other members in its metadata and beside its data, each with a comma. */
  public static String map(String name, String version, String inMetadata, String members) {
    return """
        {"apiVersion":"v1","kind":"ConfigMap","metadata":{%s"namespace":"default","name":"%s",\
        "uid":"uid-%s","resourceVersion":"%s"}%s}\
        """
        .formatted(inMetadata, name, name, version, members);
  }

  /** A config map with managed fields that are nested this deep. */
  public static String deeplyManaged(String name, String version, int depth) {
    return map(
        name,
        version,
        "\"managedFields\":[{\"manager\":\"m\",\"operation\":\"Update\",\"apiVersion\":\"v1\","
            + "\"fieldsType\":\"FieldsV1\",\"fieldsV1\":"
            + deep(depth)
            + "}],",
        ",\"data\":{\"value\":\"read\"}");
  }

  /** Text as UTF-8, with one byte that isn't UTF-8 in place of each {@code ~}. */
  public static byte[] bytes(String text) {
    var bytes = new ByteArrayOutputStream();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      bytes.write(b == '~' ? 0xff : b);
    }
    return bytes.toByteArray();
  }

  /** These parts with one byte between them. */
  static byte[] joined(char between, List<byte[]> parts) {
    var bytes = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      if (bytes.size() > 0) {
        bytes.write(between);
      }
      bytes.writeBytes(part);
    }
    return bytes.toByteArray();
  }

  /** A list of these objects, in version 1. */
  static byte[] list(List<byte[]> items) {
    return joined(
        ' ',
        List.of(
            bytes("{\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\"1\"},\"items\":["),
            joined(',', items),
            bytes("]}")));
  }

  /** An event of a watch. */
  static byte[] event(String type, byte[] object) {
    return joined(
        ' ', List.of(bytes("{\"type\":\"" + type + "\",\"object\":"), object, bytes("}")));
  }
}
