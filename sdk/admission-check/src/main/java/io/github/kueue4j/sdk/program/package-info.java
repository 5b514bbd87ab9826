// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
/**
 * The process of a check: its command line, its logging, its exit status; and for tests {@link
 * io.github.kueue4j.sdk.program.CheckStarter}, which starts a controller without any of these.
 *
 * <p>Nothing else in the SDK needs this package. A controller can also be embedded in a program
 * with {@link io.github.kueue4j.sdk.CheckController#runUntilTerminated()}.
 */
@NullMarked
package io.github.kueue4j.sdk.program;

import org.jspecify.annotations.NullMarked;
