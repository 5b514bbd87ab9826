// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** The parts behind the SDK's front door; for no other module. */
@NullMarked
package io.github.kueue4j.sdk.internal;

import org.jspecify.annotations.NullMarked;
