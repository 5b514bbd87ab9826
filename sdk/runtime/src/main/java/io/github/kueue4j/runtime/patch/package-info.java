// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * Changes of objects as the server takes them: a {@link GuardedPatch} of what differs between an
 * object as it was read and as it should be, which the server refuses if the object has changed
 * since; a {@link JsonPatch} or a {@link MergePatch} where that isn't wanted. Controllers build
 * them; {@code KubernetesApi} sends them. Values only: nothing here sends anything.
 */
@NullMarked
package io.github.kueue4j.runtime.patch;

import org.jspecify.annotations.NullMarked;
