// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** What the SDK's front door needs behind it; for no other module. */
@NullMarked
package io.github.kueue4j.sdk.internal;

import org.jspecify.annotations.NullMarked;
