// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each gate of the API is known, and has either an effect or a documented reason why not. */
class FeatureGateTest {
  private static final Path MODULE = Checkout.root().resolve("kueue-core");
  private static final String SOURCES = sources();

  private static String sources() {
    try (Stream<Path> files = Files.walk(MODULE.resolve("src/main/java"))) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.endsWith("FeatureGate.java"))
          .map(FeatureGateTest::text)
          .collect(Collectors.joining());
    } catch (IOException e) {
      throw new UncheckedIOException("the sources can't be listed", e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(file + " can't be read", e);
    }
  }

  private static List<String> parsed(String gate, boolean enabled, Launch launch) {
    return Configuration.parse(
            "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\nfeatureGates: {"
                + gate
                + ": "
                + enabled
                + "}\n",
            launch)
        .unusedKeys();
  }

  /** The gates of the API's other implementation, one a line with the state that it has there. */
  static Stream<Arguments> gatesOfTheApi() {
    return text(MODULE.resolve("src/test/resources/io/github/kueue4j/core/config/gates.txt"))
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split(" ", -1))
        .map(words -> Arguments.of(words[0], words[1].equals("on")));
  }

  @ParameterizedTest
  @MethodSource("gatesOfTheApi")
  void aGateOfTheApiIsKnownAndHasAnEffectOrSaysThatItHasNone(String name, boolean on) {
    List<String> unused = parsed(name, on, Launch.plain());

    if (FeatureGate.named(name).isPresent()) {
      assertThat(unused).isEmpty();
      assertThat(FeatureGate.named(name).get().enabledByDefault()).isEqualTo(on);
    } else {
      assertThat(unused).containsExactly("featureGates." + name + " (no effect here)");
      assertThat(text(MODULE.resolve("../docs/COMPATIBILITY.md")).lines())
          .as("a row that says why")
          .anyMatch(
              line ->
                  line.startsWith("|")
                      && List.of(line.split("\\|", -1)[1].strip().split(", ", -1)).contains(name));
    }
  }

  @Test
  void noOtherGateIsKnownButOne() {
    assertThat(FeatureGate.names())
        .hasSize(81)
        .contains("ACRequeueAfter")
        .containsAll(gatesOfTheApi().map(each -> String.valueOf(each.get()[0])).toList());
  }

  @ParameterizedTest
  @EnumSource
  void itsEffectIsInTheSources(FeatureGate gate) {
    boolean other = !gate.enabledByDefault();
    if (gate.locked()) {
      assertThatThrownBy(() -> parsed(gate.gateName(), other, Launch.plain()))
          .hasMessageContaining(
              "the feature gate "
                  + gate.gateName()
                  + " is locked to "
                  + gate.enabledByDefault()
                  + ", and can't be "
                  + !gate.enabledByDefault());
    } else {
      assertThat(SOURCES).contains("FeatureGate." + gate.name());
      assertThat(parsed(gate.gateName(), other, Launch.plain())).isEmpty();
    }
  }

  @Test
  void anUnknownGateIsRefusedUnlessWhatIsUnsupportedIsIgnored() {
    String problem =
        "names an unknown gate \"PartialAdmision\"; did you mean \"PartialAdmission\"?, or start with"
            + " --ignore-unsupported (value managerConfig.ignoreUnsupported of the chart)";
    assertThatThrownBy(() -> parsed("PartialAdmision", true, Launch.plain()))
        .hasMessage("line 3: featureGates " + problem);
    assertThat(parsed("PartialAdmision", true, Launch.plain().ignoringUnsupported(true)))
        .containsExactly(
            "featureGates.PartialAdmision (unknown; did you mean \"PartialAdmission\"?)");

    Launch flag = Launch.plain("PartialAdmision=true,MultiKueue=false");
    assertThatThrownBy(() -> Configuration.defaults(flag)).hasMessage("--feature-gates " + problem);
    assertThat(Configuration.defaults(flag.ignoringUnsupported(true)).unusedKeys())
        .containsExactly(
            "featureGates.PartialAdmision (unknown; did you mean \"PartialAdmission\"?)",
            "featureGates.MultiKueue (no effect here)");
  }
}
