// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
/** How fast the SDK is and how little it needs; run by hand. */
@NullMarked
package io.github.kueue4j.sdk.benchmark;

import org.jspecify.annotations.NullMarked;
