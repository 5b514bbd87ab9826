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
package io.github.kueue4j.e2e.charts;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where the checkout stands: the nearest folder upwards that holds {@code mvnw} and {@code charts}.
 */
public final class Repository {
  private Repository() {}

  public static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (folder != null) {
      if (Files.exists(folder.resolve("mvnw")) && Files.isDirectory(folder.resolve("charts"))) {
        return folder;
      }
      folder = folder.getParent();
    }
    throw new IllegalStateException(
        "no folder above " + Path.of("").toAbsolutePath() + " holds mvnw and charts");
  }
}
