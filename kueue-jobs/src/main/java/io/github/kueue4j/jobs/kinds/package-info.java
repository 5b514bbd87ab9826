// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * The kinds of Jobs that are declared, not coded: those built in, their reader, and a trial for
 * their authors.
 */
@NullMarked
package io.github.kueue4j.jobs.kinds;

import org.jspecify.annotations.NullMarked;
