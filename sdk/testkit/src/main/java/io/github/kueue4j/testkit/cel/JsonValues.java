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
package io.github.kueue4j.testkit.cel;

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
