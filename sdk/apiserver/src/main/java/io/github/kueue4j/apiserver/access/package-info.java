// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** Role-based access control as functions of values. */
@NullMarked
package io.github.kueue4j.apiserver.access;

import org.jspecify.annotations.NullMarked;
