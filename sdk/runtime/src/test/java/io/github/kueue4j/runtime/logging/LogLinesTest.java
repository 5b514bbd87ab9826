// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.ObjectKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.MDC;

/** The lines that the configuration of programs writes, as text and as JSON. */
class LogLinesTest {
  private final LoggerContext context = new LoggerContext();
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  @AfterEach
  void stop() {
    context.stop();
  }

  @Test
  void oneFlatJsonObjectALine() {
    Logger log = logger("json");
    Instant before = Instant.now();

    log.atInfo()
        .addKeyValue("workload", new ObjectKey("team-a", "train"))
        .addKeyValue("attempt", 3)
        .addKeyValue("delay", Duration.ofSeconds(30))
        .addKeyValue("final", false)
        .addKeyValue("cause", (Object) null)
        .log("Wrote a \"verdict\"\nof two lines");

    JsonObject line = onlyLine();
    assertThat(Instant.parse(line.get("time").getAsString()))
        .isBetween(before.minusMillis(1), Instant.now());
    assertThat(line.get("level").getAsString()).isEqualTo("INFO");
    assertThat(line.get("logger").getAsString()).isEqualTo("io.example.Check");
    assertThat(line.get("thread").getAsString()).isEqualTo(Thread.currentThread().getName());
    assertThat(line.get("message").getAsString()).isEqualTo("Wrote a \"verdict\"\nof two lines");
    assertThat(line.get("workload").getAsString()).isEqualTo("team-a/train");
    assertThat(line.getAsJsonPrimitive("attempt").isNumber()).isTrue();
    assertThat(line.get("delay").getAsString()).isEqualTo("PT30S");
    assertThat(line.getAsJsonPrimitive("final").isBoolean()).isTrue();
    assertThat(line.get("cause").getAsString()).isEqualTo("null");
    assertThat(line.keySet()).doesNotContain("error", "stack");
  }

  @Test
  void anErrorHasItsStackWithAllCauses() {
    Exception failure =
        new IllegalStateException("no answer", new ArithmeticException("divided by 0"));

    logger("json").atError().setCause(failure).log("Reconcile failed; retrying");

    JsonObject line = onlyLine();
    assertThat(line.get("error").getAsString())
        .isEqualTo("java.lang.IllegalStateException: no answer");
    assertThat(line.get("stack").getAsString())
        .contains(
            "java.lang.IllegalStateException: no answer",
            "at " + getClass().getName(),
            "Caused by: java.lang.ArithmeticException: divided by 0");
  }

  @Test
  void theReconcileIsInEachOfItsLinesAndAKeyNeverHidesAnother() {
    Logger log = logger("json");
    MDC.put("object", "team-a/train");
    try {
      log.atWarn().addKeyValue("message", "own").addKeyValue("object", "mine").log("Late");
    } finally {
      MDC.remove("object");
    }

    JsonObject line = onlyLine();
    assertThat(line.get("message").getAsString()).isEqualTo("Late");
    assertThat(line.get("message_").getAsString()).isEqualTo("own");
    assertThat(line.get("object").getAsString()).isEqualTo("mine");
    assertThat(line.get("object_").getAsString()).isEqualTo("team-a/train");
  }

  @Test
  void textBeginsWithTheTimeAndItsZone() {
    Logger log = logger("text");
    OffsetDateTime before = OffsetDateTime.now(ZoneOffset.UTC);

    log.atInfo().addKeyValue("workload", "team-a/train").log("Wrote a verdict");

    String line = text();
    assertThat(line)
        .endsWith(" INFO  io.example.Check Wrote a verdict workload=\"team-a/train\"\n");
    assertThat(OffsetDateTime.parse(line.substring(0, line.indexOf(' '))))
        .isBetween(before.minusNanos(1_000_000), OffsetDateTime.now(ZoneOffset.UTC));
  }

  /** For programs with a configuration of their own. */
  @ParameterizedTest
  @ValueSource(strings = {"text", "json"})
  void theFileThatProgramsIncludeSaysTheSame(String format) throws JoranException {
    configure(format);
    Map<String, Object> here = settings(context);

    LoggerContext other = new LoggerContext();
    other.putProperty("KUEUE4J_LOG_FORMAT", format);
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(other);
    configurator.doConfigure(
        new ByteArrayInputStream(
            """
            <configuration>
              <statusListener class="ch.qos.logback.core.status.NopStatusListener"/>
              <include resource="io/github/kueue4j/runtime/logback-console.xml"/>
            </configuration>
            """
                .getBytes(StandardCharsets.UTF_8)));

    assertThat(settings(other)).isEqualTo(here).hasSize(6);
    other.stop();
  }

  private static Map<String, Object> settings(LoggerContext context) {
    Map<String, Object> settings = new HashMap<>();
    context.getLoggerList().stream()
        .filter(logger -> logger.getLevel() != null)
        .forEach(logger -> settings.put(logger.getName(), logger.getLevel()));
    ConsoleAppender<ILoggingEvent> appender = appender(context);
    settings.put("target", appender.getTarget());
    settings.put(
        "encoder",
        appender.getEncoder() instanceof PatternLayoutEncoder text
            ? text.getPattern()
            : appender.getEncoder().getClass());
    return settings;
  }

  private static ConsoleAppender<ILoggingEvent> appender(LoggerContext context) {
    return (ConsoleAppender<ILoggingEvent>)
        context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("kueue4j");
  }

  private void configure(String format) {
    if (format.equals("json")) {
      ConsoleLogging.json(context, Level.INFO);
    } else {
      ConsoleLogging.text(context, Level.INFO, ConsoleLogging.TEXT);
    }
  }

  /** A logger that writes to memory. */
  private Logger logger(String format) {
    context.setMDCAdapter(MDC.getMDCAdapter());
    configure(format);
    appender(context).setOutputStream(written);
    return context.getLogger("io.example.Check");
  }

  private String text() {
    return written.toString(StandardCharsets.UTF_8);
  }

  private JsonObject onlyLine() {
    assertThat(text()).endsWith("}\n").hasLineCount(1);
    return JsonParser.parseString(text()).getAsJsonObject();
  }
}
