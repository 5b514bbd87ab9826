// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.cel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.values.NullValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/** JSON values as expressions see them where no schema says more. */
@API(status = API.Status.INTERNAL)
public final class JsonValues {
  private JsonValues() {}

  public static Object toCel(JsonNode json) {
    return switch (json.getNodeType()) {
      case STRING -> json.textValue();
      case BOOLEAN -> json.booleanValue();
      case NUMBER -> number(json);
      case ARRAY -> {
        List<Object> list = new ArrayList<>(json.size());
        json.forEach(element -> list.add(toCel(element)));
        yield list;
      }
      case OBJECT -> {
        Map<String, Object> map = LinkedHashMap.newLinkedHashMap(json.size());
        json.properties().forEach(entry -> map.put(entry.getKey(), toCel(entry.getValue())));
        yield map;
      }
      case NULL, MISSING, BINARY, POJO -> NullValue.NULL_VALUE;
    };
  }

  private static Object number(JsonNode number) {
    if (number.isIntegralNumber()) {
      return number.longValue();
    }
    return number.doubleValue();
  }
}
