// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * Work of a check beside its verdicts: a {@link io.github.kueue4j.sdk.maintenance.Maintenance} of
 * one object at a time, such as a status that follows what happens, repeated by the replica that
 * leads. A check that only answers needs nothing of it; {@link
 * io.github.kueue4j.sdk.CheckController.Builder#maintain} adds one.
 */
@NullMarked
package io.github.kueue4j.sdk.maintenance;

import org.jspecify.annotations.NullMarked;
