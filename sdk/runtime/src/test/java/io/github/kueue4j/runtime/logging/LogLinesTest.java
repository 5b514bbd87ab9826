// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.ObjectKey;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
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
  void oneFlatJsonObjectALine() throws JoranException {
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
  void anErrorHasItsStackWithAllCauses() throws JoranException {
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
  void theReconcileIsInEachOfItsLinesAndAKeyNeverHidesAnother() throws JoranException {
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
  void textBeginsWithTheTimeAndItsZone() throws JoranException {
    Logger log = logger("text");
    OffsetDateTime before = OffsetDateTime.now(ZoneOffset.UTC);

    log.atInfo().addKeyValue("workload", "team-a/train").log("Wrote a verdict");

    String line = text();
    assertThat(line)
        .endsWith(" INFO  io.example.Check Wrote a verdict workload=\"team-a/train\"\n");
    assertThat(OffsetDateTime.parse(line.substring(0, line.indexOf(' '))))
        .isBetween(before.minusNanos(1_000_000), OffsetDateTime.now(ZoneOffset.UTC));
  }

  /** A logger of the configuration that programs include, which writes to memory. */
  private Logger logger(String format) throws JoranException {
    context.setMDCAdapter(MDC.getMDCAdapter());
    context.putProperty("KUEUE4J_LOG_FORMAT", format);
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(
        Objects.requireNonNull(
            getClass().getResource("/io/github/kueue4j/runtime/logback-default.xml")));
    ConsoleAppender<ILoggingEvent> appender =
        (ConsoleAppender<ILoggingEvent>)
            context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("kueue4j");
    appender.setOutputStream(written);
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
