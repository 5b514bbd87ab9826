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
package io.github.kueue4j.e2e.explore;

/** How a check comes to its entry. Told by the first letters of its name. */
enum CheckKind {
  /** Through the SDK's fence. */
  SDK,
  /** Through the SDK's fence, and it asks to be woken in its own backoff. */
  WAKE,
  /** It writes whenever it likes, and dates that as it likes. */
  NAIVE;

  static CheckKind of(String check) {
    if (check.startsWith("sdk")) {
      return SDK;
    }
    return check.startsWith("wake") ? WAKE : NAIVE;
  }

  boolean fenced() {
    return this != NAIVE;
  }
}
