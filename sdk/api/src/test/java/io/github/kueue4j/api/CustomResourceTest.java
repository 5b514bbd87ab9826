// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonParser;
import java.io.StringReader;
import java.math.BigDecimal;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Authors read their own kinds as a record of the spec. */
class CustomResourceTest {

  record Window(LocalTime opens, Duration length, Set<DayOfWeek> days, Optional<ZoneId> zone) {
    Window {
      if (!length.isPositive()) {
        throw new InvalidFieldException("length", length.toString(), "write a positive duration");
      }
    }
  }

  record Everything(
      String text,
      boolean flag,
      int small,
      long large,
      double share,
      BigDecimal price,
      Duration length,
      Instant from,
      LocalTime opens,
      LocalDate day,
      ZoneId zone,
      URI server,
      Quantity memory,
      Mode mode,
      Pair pair,
      List<Pair> pairs,
      Map<String, Integer> limits,
      Optional<Long> none) {}

  record Pair(String left, String right) {
    Pair {
      if (left.equals(right)) {
        throw new IllegalArgumentException("left and right are the same");
      }
    }
  }

  enum Mode {
    NIGHTS_ONLY,
    ALWAYS
  }

  private static final ResourceType<CustomResource<Window>> WINDOWS =
      ResourceType.clusterScoped("ops.example.com/v1", "MaintenanceWindow", Window.class);

  private static CustomResource<Window> window(String spec) {
    return KueueJson.fromServer(
        new StringReader(
            """
            {"apiVersion": "ops.example.com/v1", "kind": "MaintenanceWindow",
             "metadata": {"name": "nights", "resourceVersion": "7"}, "spec": %s,
             "status": {"unknown": [1]}}
            """
                .formatted(spec)),
        WINDOWS);
  }

  @Test
  void theSpecIsTheRecord() {
    CustomResource<Window> nights =
        window(
            """
            {"opens": "22:00", "length": "8h", "days": ["Monday", "TUESDAY"], "zone": "Europe/Berlin",
             "unknown": {}}
            """);

    assertThat(ObjectKey.of(nights)).isEqualTo(ObjectKey.cluster("nights"));
    assertThat(nights.getKind()).isEqualTo("MaintenanceWindow");
    assertThat(nights.spec())
        .isEqualTo(
            new Window(
                LocalTime.of(22, 0),
                Duration.ofHours(8),
                Set.of(DayOfWeek.MONDAY, DayOfWeek.TUESDAY),
                Optional.of(ZoneId.of("Europe/Berlin"))));
    assertThat(window("{\"opens\": \"22:00\", \"length\": \"8h\"}").spec().days()).isEmpty();
    assertThat(nights)
        .isEqualTo(KueueJson.fromTree(KueueJson.toTree(nights), WINDOWS))
        .isNotEqualTo(window("{}"));
  }

  @Test
  void everyTypeOfComponent() {
    Everything read =
        RecordReader.json()
            .read(
                JsonParser.parseString(
                    """
                    {"text": "a", "flag": true, "small": 3, "large": 30000000000, "share": 0.5,
                     "price": 1.10, "length": "90s", "from": "2026-06-01T22:00:00+02:00",
                     "opens": "06:30", "day": "2026-06-01", "zone": "UTC",
                     "server": "https://example.com/api", "memory": 2, "mode": "NightsOnly",
                     "pair": {"left": "l", "right": "r"}, "pairs": [{"left": "x", "right": "y"}],
                     "limits": {"a": 1}, "none": null}
                    """),
                Everything.class,
                "spec");

    assertThat(read)
        .isEqualTo(
            new Everything(
                "a",
                true,
                3,
                30_000_000_000L,
                0.5,
                new BigDecimal("1.10"),
                Duration.ofSeconds(90),
                Instant.parse("2026-06-01T20:00:00Z"),
                LocalTime.of(6, 30),
                LocalDate.of(2026, 6, 1),
                ZoneId.of("UTC"),
                URI.create("https://example.com/api"),
                Quantity.parse("2"),
                Mode.NIGHTS_ONLY,
                new Pair("l", "r"),
                List.of(new Pair("x", "y")),
                Map.of("a", 1),
                Optional.empty()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | spec.opens is missing: write a time of day such as 22:00",
        "null | spec.opens is missing: write a time of day such as 22:00",
        "5 | spec is '5': write an object",
        "{\"opens\": 22} | spec.opens is '22': write a time of day such as 22:00",
        "{\"opens\": \"22:00\", \"length\": \"soon\"} | spec.length is 'soon': write a duration such as 1h30m or 45s",
        "{\"opens\": \"22:00\", \"length\": {\"h\": 1}} | spec.length is '{\"h\":1}': write a duration such as 1h30m or 45s",
        "{\"opens\": \"22:00\", \"length\": \"0\"} | spec.length is 'PT0S': write a positive duration",
        "{\"opens\": \"22:00\", \"length\": \"1h\", \"days\": [\"Monday\", \"Moonday\"]} | spec.days[1] is 'Moonday': write one of Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday",
        "{\"opens\": \"22:00\", \"length\": \"1h\", \"days\": \"Monday\"} | spec.days is 'Monday': write a list",
        "{\"opens\": \"22:00\", \"length\": \"1h\", \"zone\": \"Berlin\"} | spec.zone is 'Berlin': write a time zone such as Europe/Berlin",
      })
  void whatMakesNoSenseNamesFieldValueAndRemedy(String spec, String message) {
    CustomResource<Window> nights = window(spec);

    assertThatThrownBy(nights::spec).isInstanceOf(InvalidFieldException.class).hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "text | 5 | write a text",
        "flag | \"true\" | write true or false",
        "small | 1.5 | write a whole number",
        "small | 3000000000 | write a whole number",
        "large | \"3\" | write a whole number",
        "share | 1e999 | write a number",
        "mode | \"Days\" | write one of NightsOnly, Always",
        "pair | [] | write an object",
        "memory | \"2 GB\" | write a quantity such as 500m or 4Gi",
        "limits | 5 | write an object",
      })
  void aValueOfAnotherTypeIsRefused(String field, String value, String remedy) {
    String good =
        """
        {"text": "a", "flag": true, "small": 3, "large": 3, "share": 0.5, "price": 1, "length": "90s",
         "from": "2026-06-01T22:00:00Z", "opens": "06:30", "day": "2026-06-01", "zone": "UTC",
         "server": "https://example.com", "memory": "2Gi", "mode": "always",
         "pair": {"left": "l", "right": "r"}}
        """;
    var spec = JsonParser.parseString(good).getAsJsonObject();
    assertThat(RecordReader.json().read(spec, Everything.class, "spec").mode())
        .isEqualTo(Mode.ALWAYS);
    spec.add(field, JsonParser.parseString(value));

    assertThatThrownBy(() -> RecordReader.json().read(spec, Everything.class, "spec"))
        .hasMessageStartingWith("spec." + field + " is '")
        .hasMessageEndingWith(": " + remedy);
  }

  /**
   * Only names count: a field that is absent or has no value of its type is for reading to tell.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"txt\": \"a\"} | spec.txt is 'a': there is no such field; did you mean 'text'?",
        "{\"Text\": \"a\"} | spec.Text is 'a': there is no such field; did you mean 'text'?",
        "{\"limit\": {\"a\": 1}} | spec.limit is '{\"a\":1}': there is no such field; did you mean 'limits'?",
        "{\"pair\": {\"lefft\": null}} | spec.pair.lefft is 'null': there is no such field; did you mean 'left'?",
        "{\"pairs\": [{}, {\"rihgt\": \"r\"}]} | spec.pairs[1].rihgt is 'r': there is no such field; did you mean 'right'?",
        "{\"pair\": {\"colour\": 1}} | spec.pair.colour is '1': there is no such field; known are left, right",
        "{\"named\": {\"x\": {\"lef\": 1}}} | spec.named.x.lef is '1': there is no such field; did you mean 'left'?",
        "{\"maybe\": [{\"Right\": 1}]} | spec.maybe[0].Right is '1': there is no such field; did you mean 'right'?",
        "{\"nothing\": {\"at\": \"all\"}} | spec.nothing.at is 'all': there is no such field; leave it out",
        "{\"limits\": {\"any\": \"key\"}, \"pair\": 5, \"pairs\": {\"a\": 1}} | ",
        "{\"text\": {\"within\": \"a text\"}, \"named\": {\"x\": null}, \"maybe\": null} | ",
        "null | ",
      })
  void aFieldThatTheRecordDoesNotKnowIsRefused(String spec, @Nullable String message) {
    CustomResource<Nested> resource =
        KueueJson.fromTree(
            JsonParser.parseString("{\"spec\": " + spec + "}"),
            ResourceType.clusterScoped("ops.example.com/v1", "Nested", Nested.class));

    if (message == null) {
      assertThatCode(resource::refuseUnknownFields).doesNotThrowAnyException();
    } else {
      assertThatThrownBy(resource::refuseUnknownFields)
          .isInstanceOf(InvalidFieldException.class)
          .hasMessage(message);
    }
  }

  record Nested(
      String text,
      Pair pair,
      List<Pair> pairs,
      Map<String, Integer> limits,
      Map<String, Pair> named,
      Optional<Set<Pair>> maybe,
      Nothing nothing) {}

  record Nothing() {}

  @Test
  void whatAConstructorRefusesNamesTheObjectAroundIt() {
    assertThatThrownBy(
            () ->
                RecordReader.json()
                    .read(
                        JsonParser.parseString("{\"left\": \"a\", \"right\": \"a\"}"),
                        Pair.class,
                        "spec.pairs[2]"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("spec.pairs[2]: left and right are the same");
  }

  @Test
  void aLongValueIsCutInTheMessage() {
    assertThatThrownBy(() -> window("{\"opens\": \"%s\"}".formatted("x".repeat(1_000_000))).spec())
        .message()
        .hasSizeLessThan(300)
        .endsWith(" ...': write a time of day such as 22:00");
  }

  record Limits(int gpus, boolean strict, List<String> teams, Optional<Duration> longest) {}

  @Test
  void theDataOfAConfigMapIsTexts() {
    assertThat(
            RecordReader.readTexts(
                Map.of("gpus", "4", "strict", "true", "teams", "a, b,", "more", "x"), Limits.class))
        .isEqualTo(new Limits(4, true, List.of("a", "b"), Optional.empty()));
    assertThatThrownBy(() -> RecordReader.readTexts(Map.of("gpus", "many"), Limits.class))
        .hasMessage("data.gpus is 'many': write a whole number");
    assertThatThrownBy(
            () ->
                RecordReader.refuseUnknownTexts(Map.of("gpus", "4", "team", "a, b"), Limits.class))
        .hasMessage("data.team is 'a, b': there is no such field; did you mean 'teams'?");
    assertThatThrownBy(() -> RecordReader.refuseUnreadableTexts(Everything.class))
        .hasMessageContaining("the component 'pair'")
        .hasMessageContaining("can't be read from a ConfigMap: its keys are texts, and lists")
        .hasMessageContaining("a text with JSON, for RecordReader.readWrittenJson");
  }

  record Unreadable(Thread worker) {}

  record Itself(List<Itself> more) {}

  record Untyped(@SuppressWarnings("rawtypes") List list) {}

  @Test
  void aRecordThatCannotBeReadIsRefusedAtOnce() {
    assertThatThrownBy(() -> ResourceType.namespaced("ops.example.com/v1", "Odd", Unreadable.class))
        .hasMessageContaining("the component 'worker'")
        .hasMessageContaining("java.lang.Thread, which can't be read");
    assertThatThrownBy(() -> ResourceType.namespaced("ops.example.com/v1", "Odd", Itself.class))
        .hasMessageContaining("contains itself");
    assertThatThrownBy(() -> ResourceType.namespaced("ops.example.com/v1", "Odd", Untyped.class))
        .hasMessageContaining("the component 'list'");
    assertThatThrownBy(() -> ResourceType.clusterScoped("v1", "Odd", AdmissionCheck.class))
        .hasMessageContaining("stands for a whole object");
  }

  @ParameterizedTest
  @CsvSource({
    "MaintenanceWindow, maintenancewindows",
    "Policy, policies",
    "Gateway, gateways",
    "Lease, leases",
    "Address, addresses",
    "Batch, batches",
    "Box, boxes",
  })
  void thePluralIsDerived(String kind, String plural) {
    assertThat(ResourceType.clusterScoped("ops.example.com/v1", kind, Pair.class).plural())
        .isEqualTo(plural);
  }

  @Test
  void groupVersionScopeAndAnotherPlural() {
    ResourceType<CustomResource<Pair>> type =
        ResourceType.namespaced("ops.example.com/v1alpha1", "Data", Pair.class).withPlural("data");

    assertThat(type.path("team-a"))
        .isEqualTo("/apis/ops.example.com/v1alpha1/namespaces/team-a/data");
    assertThat(WINDOWS.path(ObjectKey.cluster("nights")))
        .isEqualTo("/apis/ops.example.com/v1/maintenancewindows/nights");
    assertThat(type.inVersion("v1").readAs()).isEqualTo(type.readAs());
  }

  @Test
  void namesThatCannotBeAreRefusedWithTheirRemedy() {
    assertThatThrownBy(() -> ResourceType.clusterScoped("ops.example.com", "Window", Pair.class))
        .hasMessage(
            "'ops.example.com' is no apiVersion: write group and version, such as"
                + " ops.example.com/v1");
    assertThatThrownBy(
            () -> ResourceType.clusterScoped("ops.example.com/v1", "windows", Pair.class))
        .hasMessageContaining("'windows' is no kind: write its name as in the CRD");
    assertThatThrownBy(() -> WINDOWS.withPlural("Windows"))
        .hasMessageContaining("'Windows' is no plural of MaintenanceWindow");
  }
}
