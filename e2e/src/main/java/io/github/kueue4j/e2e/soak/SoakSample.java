// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.soak;

import org.jspecify.annotations.Nullable;

/**
 * The figures of the core's process at one moment.
 *
 * @param minute since the load began
 * @param resident memory, in bytes
 * @param heap in use after a collection, in bytes; null where none was asked for
 * @param threads of the operating system
 * @param files open file handles, sockets included
 * @param series lines of /metrics that aren't comments
 * @param cpuSeconds processor time since its start
 */
record SoakSample(
    double minute,
    long resident,
    @Nullable Long heap,
    int threads,
    int files,
    int series,
    double cpuSeconds) {}
