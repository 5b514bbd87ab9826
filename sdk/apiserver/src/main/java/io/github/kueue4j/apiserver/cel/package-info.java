// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** CEL as Kubernetes extends it: its function libraries, compiled once and shared. */
@NullMarked
package io.github.kueue4j.apiserver.cel;

import org.jspecify.annotations.NullMarked;
