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
package io.github.kueue4j.runtime;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What a cache keeps of the objects that it reads.
 *
 * @param <T> the objects' type
 */
@FunctionalInterface
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Trim<T> {
  /**
   * What is kept of an object.
   *
   * @param read given up by the caller
   * @param known what was kept of an object of the same name, if any; what hasn't changed since may
   *     be taken from it, but it can be older, newer, or another object of that name
   */
  T apply(T read, Optional<T> known);
}
