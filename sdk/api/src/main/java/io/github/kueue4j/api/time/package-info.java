// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** Time as a dependency: clocks with timers, and the API's notations for times and durations. */
@NullMarked
package io.github.kueue4j.api.time;

import org.jspecify.annotations.NullMarked;
