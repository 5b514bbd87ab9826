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

import java.io.Serial;
import org.apiguardian.api.API;

/**
 * A setting of {@link GuardSettings} can't be used. The message is one line that names the place,
 * the setting, its value and what would be right.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class InvalidGuardSettingException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  InvalidGuardSettingException(String message) {
    super(message);
  }

  InvalidGuardSettingException(String message, Throwable cause) {
    super(message, cause);
  }
}
