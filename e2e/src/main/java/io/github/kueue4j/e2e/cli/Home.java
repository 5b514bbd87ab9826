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

import java.nio.file.Path;

/** The checkout that the launcher belongs to, wherever it was called from. */
final class Home {
  private Home() {}

  static Path folder() {
    return Path.of(System.getProperty("kueue4j.home", "")).toAbsolutePath();
  }

  static Path examples() {
    return folder().resolve("examples");
  }

  /** Files that the launcher writes; ignored by git. */
  static Path state() {
    return folder().resolve(".kueue4j");
  }
}
