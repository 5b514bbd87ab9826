// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
/**
 * The programs as users start them: the distribution and the image. Trains Java for it, so that it
 * starts with its classes loaded and linked.
 */
@NullMarked
package io.github.kueue4j.e2e.startup;

import org.jspecify.annotations.NullMarked;
