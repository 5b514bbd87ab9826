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
package io.github.kueue4j.e2e.rights;

import io.github.kueue4j.testkit.access.User;

/** What the charts deploy: each is one client of the API with one service account. */
enum Component {
  CORE("kueue-core", "kueue-controller-manager"),
  BUDGET("budget-check", "kueue-budget"),
  GPU("gpu-check", "kueue-gpu"),
  PROVISIONING("provisioning-check", "kueue-provisioning");

  /** Where the charts' release is installed. */
  static final String NAMESPACE = "kueue-system";

  private final String client;
  private final String serviceAccount;

  Component(String client, String serviceAccount) {
    this.client = client;
    this.serviceAccount = serviceAccount;
  }

  /** The name in its requests' user agent. */
  String client() {
    return client;
  }

  /** Who its pods are. */
  User user() {
    return User.serviceAccount(NAMESPACE, serviceAccount);
  }
}
