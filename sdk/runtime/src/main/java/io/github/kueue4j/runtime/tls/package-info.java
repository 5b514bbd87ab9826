// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** Certificates that a program makes for its own servers, or reads from files and Secrets. */
@NullMarked
package io.github.kueue4j.runtime.tls;

import org.jspecify.annotations.NullMarked;
