// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * The component configuration: kind {@code Configuration} of config.kueue.x-k8s.io, read strictly.
 */
@NullMarked
package io.github.kueue4j.core.config;

import org.jspecify.annotations.NullMarked;
