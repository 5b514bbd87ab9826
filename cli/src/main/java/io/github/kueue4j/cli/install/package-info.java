// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * The definitions and objects that a cluster needs before the core runs, and those that are left
 * behind when it is uninstalled.
 */
@NullMarked
package io.github.kueue4j.cli.install;

import org.jspecify.annotations.NullMarked;
