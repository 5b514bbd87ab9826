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
package io.github.kueue4j.core.webhook;

import java.time.Instant;

/** Where the certificates of the server are kept. */
interface CertificateStore {
  /**
   * The certificates to show now, made or renewed where that is the store's business.
   *
   * @throws InvalidCertificateException if there are none or they can't be used; the message says
   *     where and what to do
   * @throws io.github.kueue4j.runtime.KubernetesApiException if the API server can't be asked
   */
  ServingCertificates at(Instant now);
}
