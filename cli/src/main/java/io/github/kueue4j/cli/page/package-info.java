// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * The core's page for a person with a kubeconfig: a server on the loopback address that passes
 * requests of one browser on to the core. See {@code
 * docs/adr/0019-the-page-by-way-of-the-api-server.md}.
 */
@NullMarked
package io.github.kueue4j.cli.page;

import org.jspecify.annotations.NullMarked;
