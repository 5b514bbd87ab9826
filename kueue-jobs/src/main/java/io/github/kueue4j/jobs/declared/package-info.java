// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * Kinds of Jobs that are declared: a declaration names the fields of a kind in which its pods,
 * their number, its suspension and its progress stand. {@link
 * io.github.kueue4j.jobs.declared.DeclaredKind} reads and changes objects by it, as JSON, so that
 * fields which no declaration names are never touched.
 */
@NullMarked
package io.github.kueue4j.jobs.declared;

import org.jspecify.annotations.NullMarked;
