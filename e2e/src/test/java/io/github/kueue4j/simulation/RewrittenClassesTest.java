// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RewrittenClassesTest {
  private static final class Broken {
    static final int SIZE = Integer.parseInt("many");
  }

  private static final class First {}

  private static final class Second {}

  /** As another test may have had one before the first simulation of a JVM. */
  @Test
  void aClassWhoseInitializationHasFailedKeepsNoOtherFromBeingTransformed() throws Exception {
    assertThatThrownBy(() -> assertThat(Broken.SIZE).isPositive())
        .isInstanceOf(ExceptionInInitializerError.class);
    Set<Class<?>> transformed = ConcurrentHashMap.newKeySet();
    ClassFileTransformer watching =
        new ClassFileTransformer() {
          @Override
          public byte @Nullable [] transform(
              @Nullable ClassLoader loader,
              @Nullable String name,
              @Nullable Class<?> type,
              @Nullable ProtectionDomain domain,
              byte[] bytes) {
            if (type != null) {
              transformed.add(type);
            }
            return null;
          }
        };
    Instrumentation instrumentation = ByteBuddyAgent.install();
    instrumentation.addTransformer(watching, true);
    try {
      RewrittenClasses.retransform(
          instrumentation, List.of(First.class, Broken.class, Second.class));
    } finally {
      instrumentation.removeTransformer(watching);
    }

    assertThat(transformed).contains(First.class, Second.class).doesNotContain(Broken.class);
  }
}
