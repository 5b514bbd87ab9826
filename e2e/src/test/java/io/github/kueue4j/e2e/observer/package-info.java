// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * Observation of the core from outside: a record of every version, and an audit of its promises.
 */
@NullMarked
package io.github.kueue4j.e2e.observer;

import org.jspecify.annotations.NullMarked;
