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
package io.github.kueue4j.e2e.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much the launcher logs on standard error. Commands that a person watches stay quiet (errors
 * only), components that run for long say what they do. {@code KUEUE4J_LOG} overrides both.
 */
final class Logging {
  private Logging() {}

  static void quiet() {
    set(Level.ERROR);
  }

  static void verbose() {
    set(Level.INFO);
  }

  private static void set(Level level) {
    String wanted = System.getenv("KUEUE4J_LOG");
    if (LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME) instanceof Logger root) {
      root.setLevel(Level.toLevel(wanted, level));
    }
  }
}
