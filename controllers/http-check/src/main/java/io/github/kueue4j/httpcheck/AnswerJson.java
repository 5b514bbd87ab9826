// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.NearestName;
import io.github.kueue4j.api.PodSetUpdate;
import io.kubernetes.client.openapi.models.V1Toleration;
import java.io.IOException;
import java.io.StringReader;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the JSON document of an answer, strictly: a field that isn't known, is there twice or has
 * another type is a mistake that its author should hear of.
 */
final class AnswerJson {
  private static final int LONGEST_MESSAGE = 1000;
  private static final int DEEPEST = 8;
  private static final Pattern REASON = Pattern.compile("[A-Z][A-Za-z0-9]{0,63}");
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?");

  private static final String ATTEMPT = "attemptId";
  private static final String VERDICT = "verdict";
  private static final String REASON_FIELD = "reason";
  private static final String MESSAGE = "message";
  private static final String RETRY_AFTER = "retryAfterSeconds";
  private static final String UPDATES = "podSetUpdates";

  private @Nullable String attempt;
  private Answer.@Nullable Word verdict;
  private Optional<String> reason = Optional.empty();
  private String message = "";
  private Optional<Duration> retryAfter = Optional.empty();
  private List<PodSetUpdate> updates = List.of();

  private AnswerJson() {}

  /**
   * Reads an answer.
   *
   * @param attemptId that was asked about; an answer that names another one is about another
   *     Workload, or an old one
   * @param implied the verdict that the answer's status stands for; absent: the document must name
   *     one
   * @throws InvalidFieldException if a field can't be used
   * @throws IOException if the text is not one JSON document
   */
  static Answer read(String json, String attemptId, Answer.@Nullable Word implied)
      throws IOException {
    AnswerJson answer = new AnswerJson();
    try (JsonReader in = new JsonReader(new StringReader(json))) {
      in.setStrictness(Strictness.STRICT);
      in.setNestingLimit(DEEPEST);
      fields(in, "", answer::field, ATTEMPT, VERDICT, REASON_FIELD, MESSAGE, RETRY_AFTER, UPDATES);
      if (in.peek() != JsonToken.END_DOCUMENT) {
        throw new MalformedJsonException("there is more after the end of the document");
      }
    }
    if (answer.attempt != null && !answer.attempt.equals(attemptId)) {
      throw new InvalidFieldException(
          ATTEMPT, answer.attempt, "it answers another question; write that of the question");
    }
    return answer.checked(implied);
  }

  private Answer checked(Answer.@Nullable Word implied) {
    if (verdict == null && implied == null) {
      throw new InvalidFieldException(VERDICT, null, words());
    }
    if (verdict != null && implied != null && verdict != implied) {
      throw new InvalidFieldException(
          VERDICT, verdict.text(), "the status stands for " + implied.text() + ": write 200");
    }
    Answer.Word word = Objects.requireNonNull(verdict == null ? implied : verdict);
    if (retryAfter.isPresent() && !word.waits()) {
      throw new InvalidFieldException(
          RETRY_AFTER,
          Long.toString(retryAfter.get().toSeconds()),
          "leave it out unless the verdict is Pending or Retry");
    }
    if (!updates.isEmpty() && word != Answer.Word.READY) {
      throw new InvalidFieldException(
          UPDATES, updates.size() + " updates", "leave them out unless the verdict is Ready");
    }
    return new Answer(word, reason, message, retryAfter, updates);
  }

  private void field(String name, JsonReader in) throws IOException {
    switch (name) {
      case ATTEMPT -> attempt = text(in, name);
      case VERDICT -> verdict = word(text(in, name));
      case REASON_FIELD -> reason = Optional.of(reason(text(in, name)));
      case MESSAGE -> message = cleaned(text(in, name));
      case RETRY_AFTER -> retryAfter = Optional.of(seconds(in, name));
      default -> updates = updates(in);
    }
  }

  private static Answer.Word word(String text) {
    return Arrays.stream(Answer.Word.values())
        .filter(word -> word.text().equals(text))
        .findFirst()
        .orElseThrow(() -> new InvalidFieldException(VERDICT, text, words()));
  }

  private static String words() {
    return "write one of Ready, Pending, Retry, Rejected";
  }

  private static String reason(String text) {
    if (!REASON.matcher(text).matches()) {
      throw new InvalidFieldException(
          REASON_FIELD,
          text,
          "write one upper-camel-case word of at most 64 letters and digits, such as NoLicense");
    }
    return text;
  }

  /** In one line, without control characters, and no longer than people read. */
  static String cleaned(String text) {
    String start = text.substring(0, Math.min(text.length(), 4 * LONGEST_MESSAGE));
    String line = start.replaceAll("[\\p{Cntrl}\\p{Cf}\\s]+", " ").strip();
    return line.length() <= LONGEST_MESSAGE ? line : line.substring(0, LONGEST_MESSAGE) + " ...";
  }

  private static Duration seconds(JsonReader in, String name) throws IOException {
    if (in.peek() != JsonToken.NUMBER) {
      throw wrongType(in, name, "write a number of seconds");
    }
    String text = in.nextString();
    if (!SECONDS.matcher(text).matches()) {
      throw new InvalidFieldException(
          name, text, "write a number of seconds from 0 to 999999999, such as 60");
    }
    return Duration.ofSeconds(
        new BigDecimal(text).setScale(0, RoundingMode.CEILING).longValueExact());
  }

  private static List<PodSetUpdate> updates(JsonReader in) throws IOException {
    return items(in, UPDATES, (item, path) -> update(item, path));
  }

  private static PodSetUpdate update(JsonReader in, String path) throws IOException {
    PodSetUpdate[] update = {PodSetUpdate.of("")};
    fields(
        in,
        path,
        (name, value) -> {
          String at = path + '.' + name;
          update[0] =
              switch (name) {
                case "name" ->
                    new PodSetUpdate(
                        text(value, at),
                        update[0].labels(),
                        update[0].annotations(),
                        update[0].nodeSelector(),
                        update[0].tolerations());
                case "labels" -> update[0].withLabels(texts(value, at));
                case "annotations" -> update[0].withAnnotations(texts(value, at));
                case "nodeSelector" -> update[0].withNodeSelector(texts(value, at));
                default -> update[0].withTolerations(items(value, at, AnswerJson::toleration));
              };
        },
        "name",
        "labels",
        "annotations",
        "nodeSelector",
        "tolerations");
    if (update[0].name().isEmpty()) {
      throw new InvalidFieldException(path + ".name", null, "name a pod set");
    }
    return update[0];
  }

  private static V1Toleration toleration(JsonReader in, String path) throws IOException {
    V1Toleration toleration = new V1Toleration();
    fields(
        in,
        path,
        (name, value) -> {
          String at = path + '.' + name;
          switch (name) {
            case "key" -> toleration.setKey(text(value, at));
            case "operator" -> toleration.setOperator(text(value, at));
            case "value" -> toleration.setValue(text(value, at));
            case "effect" -> toleration.setEffect(text(value, at));
            default -> toleration.setTolerationSeconds(seconds(value, at).toSeconds());
          }
        },
        "key",
        "operator",
        "value",
        "effect",
        "tolerationSeconds");
    return toleration;
  }

  private interface Field {
    void read(String name, JsonReader value) throws IOException;
  }

  private interface Item<T> {
    T read(JsonReader in, String path) throws IOException;
  }

  /** The fields of an object; one that is null counts as absent. */
  private static void fields(JsonReader in, String path, Field field, String... known)
      throws IOException {
    if (in.peek() != JsonToken.BEGIN_OBJECT) {
      throw wrongType(in, path.isEmpty() ? "the document" : path, "write an object");
    }
    Set<String> seen = new HashSet<>();
    in.beginObject();
    while (in.hasNext()) {
      String name = in.nextName();
      String at = path.isEmpty() ? name : path + '.' + name;
      if (!Arrays.asList(known).contains(name)) {
        throw new InvalidFieldException(
            at,
            "not a field",
            NearestName.of(name, Arrays.asList(known))
                .map(near -> "did you mean " + near + "?")
                .orElse("write " + String.join(", ", known)));
      }
      if (!seen.add(name)) {
        throw new InvalidFieldException(at, "there twice", "write it once");
      }
      if (in.peek() == JsonToken.NULL) {
        in.nextNull();
      } else {
        field.read(name, in);
      }
    }
    in.endObject();
  }

  private static <T> List<T> items(JsonReader in, String path, Item<T> item) throws IOException {
    if (in.peek() != JsonToken.BEGIN_ARRAY) {
      throw wrongType(in, path, "write a list");
    }
    List<T> items = new ArrayList<>();
    in.beginArray();
    while (in.hasNext()) {
      items.add(item.read(in, path + '[' + items.size() + ']'));
    }
    in.endArray();
    return items;
  }

  private static Map<String, String> texts(JsonReader in, String path) throws IOException {
    if (in.peek() != JsonToken.BEGIN_OBJECT) {
      throw wrongType(in, path, "write an object of texts");
    }
    Map<String, String> texts = new TreeMap<>();
    in.beginObject();
    while (in.hasNext()) {
      String name = in.nextName();
      if (texts.put(name, text(in, path + '.' + name)) != null) {
        throw new InvalidFieldException(path + '.' + name, "there twice", "write it once");
      }
    }
    in.endObject();
    return texts;
  }

  private static String text(JsonReader in, String name) throws IOException {
    if (in.peek() != JsonToken.STRING) {
      throw wrongType(in, name, "write a text");
    }
    return in.nextString();
  }

  private static InvalidFieldException wrongType(JsonReader in, String name, String remedy)
      throws IOException {
    return new InvalidFieldException(name, "a JSON " + in.peek().name(), remedy);
  }
}
