// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * Acting on changes. A {@link Controller} has a {@link Reconciler}, which gets one key at a time
 * and answers with a {@link Requeue}; a {@link ControllerHost} runs controllers with all that a
 * process needs around them: caches that are full before they start, leadership, probes, metrics,
 * an orderly end. The main method of a program builds these two.
 */
@NullMarked
package io.github.kueue4j.runtime.controller;

import org.jspecify.annotations.NullMarked;
