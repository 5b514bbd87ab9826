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
package io.github.kueue4j.sdk.controller;

/**
 * The parameters of one AdmissionCheck, or why there are none.
 *
 * @param <P> the parameters
 */
sealed interface Resolution<P> {

  /**
   * The parameters.
   *
   * @param version changes whenever they may have changed
   */
  record Found<P>(P value, String version) implements Resolution<P> {}

  /**
   * The AdmissionCheck can't work.
   *
   * @param message for people: what to mend
   */
  record Bad<P>(String message) implements Resolution<P> {}
}
