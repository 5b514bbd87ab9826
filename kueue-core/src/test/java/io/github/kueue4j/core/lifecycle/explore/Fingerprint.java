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
package io.github.kueue4j.core.lifecycle.explore;

/**
 * Stands for the key of a world in 128 bits, so that two worlds are never taken for one.
 *
 * @param high one hash
 * @param low another
 */
record Fingerprint(long high, long low) {

  static Fingerprint of(String key) {
    long high = 0x9E3779B97F4A7C15L;
    long low = 0xC2B2AE3D27D4EB4FL;
    for (int i = 0; i < key.length(); i++) {
      char next = key.charAt(i);
      high = (Long.rotateLeft(high, 5) ^ next) * 0x9FB21C651E98DF25L;
      low = (Long.rotateLeft(low, 27) + next) * 0xD6E8FEB86659FD93L;
      low ^= low >>> 32;
    }
    return new Fingerprint(high ^ (high >>> 29), low);
  }
}
