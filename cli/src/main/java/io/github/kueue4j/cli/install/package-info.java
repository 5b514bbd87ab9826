// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** What a cluster needs before the core runs, and what is left behind when it is uninstalled. */
@NullMarked
package io.github.kueue4j.cli.install;

import org.jspecify.annotations.NullMarked;
