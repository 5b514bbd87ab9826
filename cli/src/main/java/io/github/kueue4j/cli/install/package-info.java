// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** What a cluster needs before the core runs: the CustomResourceDefinitions. */
@NullMarked
package io.github.kueue4j.cli.install;

import org.jspecify.annotations.NullMarked;
