// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** The {@code kueue.x-k8s.io} objects as lenient records, with conditions, quantities and times. */
@NullMarked
package io.github.kueue4j.api;

import org.jspecify.annotations.NullMarked;
