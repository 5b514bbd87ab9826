// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
/**
 * How a line of the log looks: for programs that leave it to the runtime, and, by the XML files
 * beside this package, for those with a configuration of their own.
 */
@NullMarked
package io.github.kueue4j.runtime.logging;

import org.jspecify.annotations.NullMarked;
