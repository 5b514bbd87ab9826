// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The common properties of all records. */
class RecordShapesTest {

  /** Every record reachable from the kinds. */
  static Set<Class<?>> records() {
    Set<Class<?>> found = new LinkedHashSet<>();
    CrdDocument.all().forEach(crd -> collect(crd.type().type(), found));
    return found;
  }

  private static void collect(Type type, Set<Class<?>> found) {
    if (type instanceof ParameterizedType parameterized) {
      Stream.of(parameterized.getActualTypeArguments()).forEach(each -> collect(each, found));
    } else if (type instanceof Class<?> raw
        && raw.isRecord()
        && !OpenValue.class.isAssignableFrom(raw)
        && found.add(raw)) {
      Stream.of(raw.getRecordComponents()).forEach(each -> collect(each.getGenericType(), found));
    }
  }

  @ParameterizedTest
  @MethodSource("records")
  void onlyNullableComponentsAreNullWhenAbsentOrNull(Class<?> type) throws Exception {
    JsonObject nulls = new JsonObject();
    for (RecordComponent component : type.getRecordComponents()) {
      if (!component.getType().isPrimitive()) {
        nulls.add(component.getName(), JsonNull.INSTANCE);
      }
    }
    for (JsonObject input : List.of(new JsonObject(), nulls)) {
      Object read = KueueJson.fromTree(input, type);
      for (RecordComponent component : type.getRecordComponents()) {
        boolean nullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
        assertThat(component.getAccessor().invoke(read) == null)
            .as(component.toString())
            .isEqualTo(nullable);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("records")
  void containersAreUnmodifiable(Class<?> type) throws Exception {
    Object read = KueueJson.fromTree(new JsonObject(), type);
    for (RecordComponent component : type.getRecordComponents()) {
      Object value = component.getAccessor().invoke(read);
      if (value instanceof Collection<?> collection) {
        assertThatThrownBy(() -> collection.add(null))
            .isInstanceOf(UnsupportedOperationException.class);
      } else if (value instanceof Map<?, ?> map) {
        assertThatThrownBy(() -> map.put(null, null))
            .isInstanceOf(UnsupportedOperationException.class);
      }
    }
  }

  static Stream<CrdDocument> crds() {
    return CrdDocument.all();
  }

  @ParameterizedTest
  @MethodSource("crds")
  void withChangesOneComponentAndNoOther(CrdDocument crd) throws Exception {
    List<Record> records = new ArrayList<>();
    flatten(KueueJson.fromTree(SchemaSample.of(crd), crd.type().type()), records);
    int changed = 0;
    for (Record before : records) {
      for (RecordComponent component : before.getClass().getRecordComponents()) {
        for (Method with : withMethods(before.getClass(), component)) {
          Object same = with.invoke(before, component.getAccessor().invoke(before));
          assertThat(same).as(with.toString()).isEqualTo(before);
          Object empty =
              component
                  .getAccessor()
                  .invoke(KueueJson.fromTree(new JsonObject(), before.getClass()));
          Object after = with.invoke(before, empty);
          assertThat(component.getAccessor().invoke(after)).as(with.toString()).isEqualTo(empty);
          changed += after.equals(before) ? 0 : 1;
        }
      }
    }
    assertThat(changed).as("samples differ from empty records").isPositive();
  }

  private static List<Method> withMethods(Class<?> type, RecordComponent component) {
    String name =
        "with"
            + Character.toUpperCase(component.getName().charAt(0))
            + component.getName().substring(1);
    return Stream.of(type.getDeclaredMethods())
        .filter(method -> method.getName().equals(name) && method.getParameterCount() == 1)
        .filter(method -> method.getParameterTypes()[0] == component.getType())
        .toList();
  }

  private static void flatten(@Nullable Object value, List<Record> into) throws Exception {
    if (value instanceof Collection<?> collection) {
      for (Object each : collection) {
        flatten(each, into);
      }
    } else if (value instanceof Record found && !(value instanceof OpenValue)) {
      into.add(found);
      for (RecordComponent component : found.getClass().getRecordComponents()) {
        flatten(component.getAccessor().invoke(found), into);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("crds")
  void nullsInsideListsAreSkipped(CrdDocument crd) {
    JsonObject sample = SchemaSample.of(crd);
    JsonObject withNulls = addNulls(sample).getAsJsonObject();

    assertThat(KueueJson.fromTree(withNulls, crd.type().type()))
        .isEqualTo(KueueJson.fromTree(sample, crd.type().type()));
  }

  private static JsonElement addNulls(JsonElement element) {
    if (element instanceof JsonObject object) {
      JsonObject copy = new JsonObject();
      for (Map.Entry<String, JsonElement> field : object.entrySet()) {
        // Pod templates and the like are models of the client, not records.
        boolean ours =
            !Set.of("template", "tolerations", "nodeTaints", "namespaceSelector")
                .contains(field.getKey());
        copy.add(field.getKey(), ours ? addNulls(field.getValue()) : field.getValue());
      }
      return copy;
    }
    if (element instanceof JsonArray array) {
      JsonArray copy = new JsonArray();
      array.forEach(each -> copy.add(addNulls(each)));
      copy.add(JsonNull.INSTANCE);
      return copy;
    }
    return element;
  }
}
