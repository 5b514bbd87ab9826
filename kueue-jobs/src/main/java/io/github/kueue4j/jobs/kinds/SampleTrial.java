// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs.kinds;

import org.apiguardian.api.API;

/**
 * The objects that the core would derive from an object by the declaration of its kind.
 *
 * @param sound whether it can be queued, and each path leads to a field where one has to be
 * @param text some lines: its state, its pod sets, refusals, what a start and a stop write, and the
 *     paths that lead nowhere
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SampleTrial(boolean sound, String text) {}
