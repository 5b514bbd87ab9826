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

/** Refusals of an API server, for a fake one: their constructors are the runtime's own. */
public final class Refusals {

  private Refusals() {}

  /** 409. */
  public static KubernetesApiException conflict(String message) {
    return new KubernetesApiException.Conflict(message, null);
  }

  /** 422. */
  public static KubernetesApiException invalid(String message) {
    return new KubernetesApiException.Invalid(message, null);
  }

  /** 404. */
  public static KubernetesApiException notFound(String message) {
    return new KubernetesApiException.NotFound(message, null);
  }

  /** No answer. */
  public static KubernetesApiException unreachable(String message) {
    return new KubernetesApiException.Unreachable(message, new java.io.IOException(message));
  }
}
