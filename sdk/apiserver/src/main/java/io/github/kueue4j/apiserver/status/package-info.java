// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** The API's own error answers (kind Status). */
@NullMarked
package io.github.kueue4j.apiserver.status;

import org.jspecify.annotations.NullMarked;
