// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
/** How a line of the log looks. Loaded by Logback only, from the XML files beside this package. */
@NullMarked
package io.github.kueue4j.runtime.logging;

import org.jspecify.annotations.NullMarked;
