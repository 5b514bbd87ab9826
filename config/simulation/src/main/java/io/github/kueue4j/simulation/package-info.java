// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
/** Worlds in which one seed decides the order of all steps, and in which time is simulated. */
@NullMarked
package io.github.kueue4j.simulation;

import org.jspecify.annotations.NullMarked;
