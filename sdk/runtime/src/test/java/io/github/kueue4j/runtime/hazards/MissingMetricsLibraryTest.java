// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.hazards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubernetes.client.extended.controller.DefaultController;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

/** The extended controller needs a metrics library that its artifact declares as optional. */
class MissingMetricsLibraryTest {

  @Test
  void theLibraryFailsWithoutTheOptionalDependency() {
    var loader = new Hiding("io.prometheus.client.");
    assertThatThrownBy(() -> Class.forName(DefaultController.class.getName(), true, loader))
        .isInstanceOf(NoClassDefFoundError.class)
        .hasMessageContaining("io/prometheus/client");
  }

  @Test
  void oursDependsOnIt() throws ClassNotFoundException {
    ClassLoader loader = getClass().getClassLoader();
    assertThat(Class.forName(DefaultController.class.getName(), true, loader)).isNotNull();
  }

  /** A class loader that loads the client library's classes itself and hides some packages. */
  private static final class Hiding extends ClassLoader {
    private final String hidden;

    Hiding(String hidden) {
      super(MissingMetricsLibraryTest.class.getClassLoader());
      this.hidden = hidden;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith(hidden)) {
        throw new ClassNotFoundException(name);
      }
      if (!name.startsWith("io.kubernetes.client.extended.")) {
        return super.loadClass(name, resolve);
      }
      try (InputStream code = getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (code == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = code.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
