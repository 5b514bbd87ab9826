// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.program;

import java.io.Serial;
import org.apiguardian.api.API;

/**
 * A setting of {@link GuardSettings} can't be used. The message is one line that names the place,
 * the setting, its value and what would be right.
 *
 * @see GuardSettings
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
